internal import COpenAL

/// The OpenAL Soft that runs.
public enum OpenALLibrary {
  /// Whether it takes data sets of several distances (MinPHR03, from 1.21.1 on): told from an
  /// extension that came one release later, since the version itself is told only once something plays.
  public static var takesFields: Bool {
    alcIsExtensionPresent(nil, "ALC_SOFT_reopen_device") == ALC_TRUE
  }
}
