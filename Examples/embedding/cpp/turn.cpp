// A beacon to the east, a head that turns once around in ten seconds: prints on which side it is heard.
#include <aurient.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(aurient_status status) {
  if (status == AURIENT_OK) return;
  std::string message(aurient_last_message(nullptr, 0), '\0');
  aurient_last_message(&message[0], message.size() + 1);
  throw Error(std::string(aurient_status_name(status)) + ": " + message);
}

struct Close {
  void operator()(aurient_session *session) const { aurient_session_close(session); }
};
using Session = std::unique_ptr<aurient_session, Close>;

Session open() {
  aurient_session_options options{};
  options.struct_size = sizeof options;
  options.head_reference = AURIENT_HEAD_NORTH;
  aurient_session *session = nullptr;
  check(aurient_session_open_pulled(&options, &session));
  return Session(session);
}

}  // namespace

int main() try {
  const Session session = open();
  std::int32_t rate = 0;
  check(aurient_session_sample_rate(session.get(), &rate));
  check(aurient_session_place_beacon_around(session.get(), "Door", 90, 5));

  std::vector<float> samples(2 * static_cast<std::size_t>(rate));
  for (int second = 0; second < 10; ++second) {
    check(aurient_session_push_head_angles(session.get(), NAN, 36.0 * second, 0, 0));
    check(aurient_session_pull(session.get(), samples.data(), samples.size() / 2));
    double left = 0, right = 0;
    for (std::size_t index = 0; index < samples.size(); index += 2) {
      left += samples[index] * samples[index];
      right += samples[index + 1] * samples[index + 1];
    }
    std::printf("%3d degrees: %+5.1f dB to the right\n", 36 * second, 10 * std::log10(right / left));
  }
  return 0;
} catch (const Error &error) {
  std::fprintf(stderr, "turn: %s\n", error.what());
  return 1;
}
