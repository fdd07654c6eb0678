/// What is to be done at frames to come, soonest first, and of one frame in the order of arrival; of fixed size.
///
/// One thread uses it. What comes in the order of its frames moves nothing.
final class DueList<Element> {
  private let capacity: Int
  private let slots: UnsafeMutablePointer<(frame: Int, element: Element)>
  private var begin = 0
  private var end = 0

  /// A list for so many elements.
  init(capacity: Int) {
    self.capacity = capacity
    // As much room again, so that what waits is rarely moved to the front.
    slots = .allocate(capacity: 2 * capacity)
  }

  deinit {
    (slots + begin).deinitialize(count: end - begin)
    slots.deallocate()
  }

  /// Whether there is no room.
  var isFull: Bool { end - begin == capacity }

  /// The frame of the soonest; nil if there is none.
  var nextFrame: Int? { begin < end ? slots[begin].frame : nil }

  /// Puts an element before those of later frames; there is room for it.
  func insert(_ element: consuming Element, at frame: Int) {
    if end == 2 * capacity {
      slots.moveInitialize(from: slots + begin, count: end - begin)
      (begin, end) = (0, end - begin)
    }
    var place = end
    while place > begin, slots[place - 1].frame > frame { place -= 1 }
    (slots + place + 1).moveInitialize(from: slots + place, count: end - place)
    (slots + place).initialize(to: (frame, element))
    end += 1
  }

  /// Takes the soonest, which there is.
  func removeFirst() -> Element {
    let element = (slots + begin).move().element
    begin += 1
    if begin == end { (begin, end) = (0, 0) }
    return element
  }
}
