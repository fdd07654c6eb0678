import Files
import Glibc
import HeadTracking

/// A live session as a service: programs place beacons, move the listener, and ask how all stands, by OSC over
/// UDP. See `docs/serve.md` for the addresses.
///
/// Heads and phones of any dialect are listened to on the same port. What a sender must not do is dropped and
/// counted; there is no telling who sent what, so that only this machine is listened to unless told
/// otherwise.
public final class SceneService {
  /// Where messages come to.
  public enum Endpoint: Sendable {
    /// A numeric IP address of this machine, and a UDP port; 0 for any that is free.
    case address(String, port: UInt16)
    /// A UDP socket that this process was started with.
    case inherited(Int32)
  }

  /// How much has come.
  public struct Counts: Equatable, Sendable {
    /// Messages that were no motion.
    public var messages = 0
    /// Datagrams, and messages in bundles, that are no OSC.
    public var malformed = 0
    /// Messages that asked for something that cannot be done.
    public var refused = 0
    /// Messages for which there was no room.
    public var overrun = 0
    /// Clients that get the state now.
    public var subscribers = 0
  }

  /// The UDP port.
  public let port: UInt16
  /// Address and port, for people.
  public let name: String
  private let mailbox: ServiceMailbox
  private let thread: StoppableThread

  /// Listens, for the session that takes these inputs; what is asked for is done once that runs.
  ///
  /// - Parameters:
  ///   - soundFolders: Clients may name the sounds, styles and SOFA files below these folders and no others; nil
  ///     for the sounds that ship.
  /// - Throws: `MotionSourceError` if the port can't be listened to, `FileError` if a folder is none.
  public init(
    _ endpoint: Endpoint, for inputs: LiveInputs, scene: Scene, soundFolders: [String]? = nil,
    catalogue: HRTFCatalogue = HRTFCatalogue()
  ) throws {
    let folders = soundFolders ?? DataFolder.path.map { [$0 + "/Sounds"] } ?? []
    let sounds = try ServiceSounds(folders: folders)
    let socket =
      switch endpoint {
      case .address(let address, let port): try DatagramSocket(listen: address, port: port)
      case .inherited(let descriptor): try DatagramSocket(inherited: descriptor)
      }
    (port, name) = (socket.port, socket.name)
    let inbox = inputs.inbox
    let mailbox = try ServiceMailbox(inbox: inbox)
    self.mailbox = mailbox
    let worker = ServiceWorker(
      mailbox, inbox: inbox, outlet: DatagramOutlet(socket),
      dataSets: ServiceDataSets(catalogue, fitting: scene.fitting, inbox: inbox), sounds: sounds,
      voice: scene.voice)
    do throws(StoppableThread.Failure) {
      thread = try StoppableThread { worker.run(until: $0) }
    } catch {
      throw MotionSourceError(socket.name, String(cString: strerror(error.number)))
    }
    inputs.listen(
      to: try NetworkMotionSource(osc: socket) { mailbox.receive($0, from: $1) })
  }

  deinit { thread.stop() }

  /// Takes how the session stands, for clients that ask; on the session's thread, some ten times a second.
  public func publish(_ state: LiveSession.State, of session: LiveSession) {
    // Of a file the name, not where it is.
    let title = session.dataSetTitle.split(separator: "/").last.map(String.init) ?? ""
    mailbox.publish(
      .init(state: state, sampleRate: session.sampleRate, dataSetTitle: title))
  }

  /// What has come so far.
  public var counts: Counts { mailbox.counts }
}
