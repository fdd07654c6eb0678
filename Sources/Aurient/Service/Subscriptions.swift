import Files
import HeadTracking

/// The clients that want the state now and then; a subscription ends unless it is renewed.
struct Subscriptions {
  private struct Subscription {
    var interval: Double
    var next: Timestamp
    var end: Timestamp
  }

  private var all: [DatagramAddress: Subscription] = [:]

  /// Clients at once.
  static let most = 64

  var count: Int { all.count }

  /// When the state is due next; nil without subscriptions.
  var next: Timestamp? { all.values.map(\.next).min() }

  /// Takes or renews a client's subscription.
  ///
  /// - Returns: Whether there was room.
  mutating func add(
    _ client: DatagramAddress, rate: Double, seconds: Double, at now: Timestamp
  ) -> Bool {
    removeOver(at: now)
    guard all[client] != nil || all.count < Self.most else { return false }
    all[client] = Subscription(interval: 1 / rate, next: now, end: now + seconds)
    return true
  }

  mutating func remove(_ client: DatagramAddress) { all[client] = nil }

  /// The clients to which the state is due now.
  mutating func takeDue(at now: Timestamp) -> [DatagramAddress] {
    removeOver(at: now)
    let due = all.filter { now >= $0.value.next }
    for (client, subscription) in due {
      // Those that were missed are left out.
      let next = subscription.next + subscription.interval
      all[client]?.next = next > now ? next : now + subscription.interval
    }
    return Array(due.keys)
  }

  private mutating func removeOver(at now: Timestamp) { all = all.filter { now < $0.value.end } }
}
