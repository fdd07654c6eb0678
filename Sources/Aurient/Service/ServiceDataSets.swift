import HRTF
import HeadTracking
import Synchronization

/// Prepares the data sets that clients ask for, one at a time and on a thread of its own: conversion takes
/// seconds the first time.
final class ServiceDataSets: @unchecked Sendable {
  private let catalogue: HRTFCatalogue
  private let fitting: HRTFFitting
  private let inbox: SessionInbox
  private let isBusy = Atomic(false)
  /// Only the thread that serves touches it.
  private var thread: StoppableThread?

  init(_ catalogue: HRTFCatalogue, fitting: HRTFFitting, inbox: SessionInbox) {
    self.catalogue = catalogue
    self.fitting = fitting
    self.inbox = inbox
  }

  /// Has a session take a data set as soon as it is ready.
  ///
  /// - Parameters:
  ///   - name: That of one of the catalogue, or the start of just one; or nil for the one that ships for the
  ///     rate.
  ///   - file: The file of a name that ends as one.
  ///   - done: Called with what people call it, and the cause if it is not used; on another thread.
  /// - Throws: `ServiceRequest.Refusal` if there is no such set, or another one is being prepared.
  func select(
    _ name: String?, file: String?, sampleRate: Int,
    done: @escaping @Sendable (String, String?) -> Void
  ) throws {
    let request = try name.map { try self.request($0, file: file) }
    guard !isBusy.load(ordering: .acquiring) else {
      throw ServiceRequest.Refusal("another data set is being prepared")
    }
    stop()
    isBusy.store(true, ordering: .releasing)
    do {
      thread = try StoppableThread { [self] _ in
        defer { isBusy.store(false, ordering: .releasing) }
        do {
          let selection = try catalogue.select(request, sampleRate: sampleRate, fitting: fitting)
          let title = file == nil ? selection.title : name ?? ""
          inbox.send([.init(wish: .dataSet(request, selection)) { done(title, $0) }])
        } catch {
          done("", "\(error)")
        }
      }
    } catch {
      isBusy.store(false, ordering: .releasing)
      throw ServiceRequest.Refusal("there is no thread left")
    }
  }

  private func request(_ name: String, file: String?) throws(ServiceRequest.Refusal) -> String {
    if let file { return file }
    let matches = catalogue.entries.filter { $0.name.lowercased().hasPrefix(name.lowercased()) }
    let exact = matches.first { $0.name.lowercased() == name.lowercased() }
    guard let entry = exact ?? (matches.count == 1 ? matches[0] : nil) else {
      let names = catalogue.entries.map(\.name).joined(separator: ", ")
      throw .init("there is no one data set of this name; there are \(names)")
    }
    return entry.name
  }

  /// Waits until none is being prepared.
  func stop() {
    thread?.stop()
    thread = nil
  }
}
