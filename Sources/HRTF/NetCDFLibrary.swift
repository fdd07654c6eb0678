import Glibc

/// The netCDF library, loaded when a file needs it: it brings some forty others along, which would
/// slow every start of a program that linked it.
///
/// Functions and constants are those of its C interface, netcdf.h. The constants are computed, since a
/// stored one would be made at first use, under a lock, and that may be after a fork.
struct NetCDFLibrary {
  /// The Debian package that has it.
  static var package: String { "libnetcdf19" }
  /// The type of attributes that are text, `NC_CHAR`.
  static var text: Int32 { 2 }
  /// The type of attributes that are strings, `NC_STRING`.
  static var string: Int32 { 12 }
  /// Bytes of a name with its end, `NC_MAX_NAME` + 1.
  static var nameSize: Int { 257 }
  /// Values out of a float's range are infinite then: `NC_ERANGE`.
  static var rangeError: Int32 { -60 }
  /// `NC_ENOMEM`.
  static var memoryError: Int32 { -61 }
  /// All attributes of the file rather than of a variable, `NC_GLOBAL`.
  static var global: Int32 { -1 }

  typealias Name = UnsafePointer<CChar>
  typealias Count = UnsafeMutablePointer<Int32>
  typealias Size = UnsafeMutablePointer<Int>
  typealias NameBuffer = UnsafeMutablePointer<CChar>

  typealias Open = @convention(c) (Name, Int32, Count) -> Int32
  typealias InquireCounts = @convention(c) (Int32, Count?, Count?, Count?, Count?) -> Int32
  typealias InquireDimension = @convention(c) (Int32, Int32, NameBuffer, Size) -> Int32
  typealias InquireAttributeName = @convention(c) (Int32, Int32, Int32, NameBuffer) -> Int32
  typealias InquireAttribute = @convention(c) (Int32, Int32, Name, Count, Size) -> Int32
  typealias GetText = @convention(c) (Int32, Int32, Name, NameBuffer) -> Int32
  typealias GetStrings =
    @convention(c) (Int32, Int32, Name, UnsafeMutablePointer<NameBuffer?>) -> Int32
  typealias InquireVariable = @convention(c) (Int32, Name, Count) -> Int32
  typealias InquireDimensionCount = @convention(c) (Int32, Int32, Count) -> Int32
  typealias InquireDimensions = @convention(c) (Int32, Int32, Count) -> Int32
  typealias GetFloats = @convention(c) (Int32, Int32, UnsafeMutablePointer<Float>) -> Int32

  let open: Open
  let inquireCounts: InquireCounts
  let inquireDimension: InquireDimension
  let inquireAttributeName: InquireAttributeName
  let inquireAttribute: InquireAttribute
  let getText: GetText
  let getStrings: GetStrings
  let inquireVariable: InquireVariable
  let inquireDimensionCount: InquireDimensionCount
  let inquireDimensions: InquireDimensions
  let getFloats: GetFloats

  /// Held while a file is written, and while a process is forked that may read one: the library is for one thread at a
  /// time, of all of its files.
  static let use = ForkLock()

  /// What the dynamic linker knows the library by, or nil if it is not installed.
  static func handle() -> UnsafeMutableRawPointer? {
    dlopen("libnetcdf.so.19", RTLD_LAZY) ?? dlopen("libnetcdf.so.22", RTLD_LAZY)
      ?? dlopen("libnetcdf.so", RTLD_LAZY)
  }

  /// The library, or nil if it is not installed.
  init?() {
    guard let library = Self.handle() else { return nil }
    func resolve<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard
      let open: Open = resolve("nc_open"),
      let inquireCounts: InquireCounts = resolve("nc_inq"),
      let inquireDimension: InquireDimension = resolve("nc_inq_dim"),
      let inquireAttributeName: InquireAttributeName = resolve("nc_inq_attname"),
      let inquireAttribute: InquireAttribute = resolve("nc_inq_att"),
      let getText: GetText = resolve("nc_get_att_text"),
      let getStrings: GetStrings = resolve("nc_get_att_string"),
      let inquireVariable: InquireVariable = resolve("nc_inq_varid"),
      let inquireDimensionCount: InquireDimensionCount = resolve("nc_inq_varndims"),
      let inquireDimensions: InquireDimensions = resolve("nc_inq_vardimid"),
      let getFloats: GetFloats = resolve("nc_get_var_float")
    else { return nil }
    self.open = open
    self.inquireCounts = inquireCounts
    self.inquireDimension = inquireDimension
    self.inquireAttributeName = inquireAttributeName
    self.inquireAttribute = inquireAttribute
    self.getText = getText
    self.getStrings = getStrings
    self.inquireVariable = inquireVariable
    self.inquireDimensionCount = inquireDimensionCount
    self.inquireDimensions = inquireDimensions
    self.getFloats = getFloats
  }
}
