/// The participants' page's own words, which a design may translate.
enum PageWords {
  /// Their keys, as `Listening/page/strings.js` has them.
  static let keys: Set<String> = [
    "loading", "loading_sounds", "try_again", "next", "continue", "play", "playing", "cannot_start",
    "cannot_go_on", "nothing_lost", "no_test", "not_a_test", "sounds_missing", "http_status",
    "not_reached", "not_decoded", "no_rate", "other_rate", "other_duration", "no_stimulus",
    "no_sound_device", "device_stalled", "device_interrupted", "device_rate", "device_mono",
    "other_tab", "damaged_state", "no_storage", "storage_full", "which_participant",
    "participant_code", "unknown_participant", "consent", "agree", "agree_first", "begin",
    "instructions", "start_trials", "welcome_back", "where_you_are", "keys", "single_keys",
    "check_level", "check_level_text", "level_is_set", "play_first", "check_sides",
    "check_sides_text", "left_side", "right_side", "sides_wrong", "sides_wrong_text", "check_again",
    "go_on_anyway", "trial_of", "trial_part", "practice_of", "progress", "pause", "paused",
    "paused_text", "break", "break_text", "listen_first", "listen_to_the_end", "plays_left",
    "no_plays_left", "confirm", "question_direction", "top_view", "side_view", "azimuth_slider",
    "elevation_slider", "azimuth_field", "elevation_field", "front", "back", "left", "right",
    "above", "below", "no_direction", "choose_direction", "ahead", "behind", "exactly_left",
    "exactly_right", "left_front", "left_behind", "right_front", "right_behind", "ear_height", "up",
    "down", "straight_up", "straight_down", "practice_direction", "target_mark",
    "question_change_horizontal", "question_change_vertical", "answer_left", "answer_right",
    "answer_below", "answer_above", "question_abx", "play_named", "x_is_a", "x_is_b", "listen_all",
    "right_answer", "wrong_answer", "practice_answer", "question_rating", "question_choice",
    "reference", "sound_number", "play_reference", "rating_of", "rating", "not_rated", "heard",
    "not_heard", "rate_all", "rate_first", "grades", "finished", "thanks", "results_here",
    "download_csv", "download_json", "sending", "sent", "not_sent", "send_now", "delete_results",
    "delete_sure", "deleted", "save_first", "saved", "key_play", "key_play_when", "key_arrows_5",
    "key_shift_arrows", "key_pages", "key_home", "key_confirm", "key_left_right", "key_down_up",
    "key_abx", "key_abx_answer", "key_reference", "key_items", "key_slider", "key_options",
    "name_space", "name_enter", "name_shift", "name_arrows", "name_page_up", "name_page_down",
    "name_home", "name_end",
  ]
}
