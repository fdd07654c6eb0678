/*
 * Aurient: sound beacons for headphones that stay put in the world while the head turns.
 *
 * Conventions of all calls
 *
 * Angles are degrees. Headings, courses and bearings count clockwise from true north, [0, 360); yaw of a head
 * counts clockwise (right) from whatever its zero is, pitch up, roll with the right ear down. Places are degrees
 * north and east on the WGS84 ellipsoid. Distances are metres, times seconds, gains decibels of at most 0, rates
 * frames a second; a frame is a left and a right sample. A number that is not known is NAN.
 *
 * Text is UTF-8 and ends with a zero byte. A path or a name has less than 4096 bytes. What a call is given it
 * copies: nothing of the caller's is used after the call has returned.
 *
 * Structures begin with `struct_size`, which the caller sets to sizeof of that structure, before every call; all
 * else of a structure of options may be 0 or NULL, which means the default. So a program may be used with a newer
 * library, whose structures are longer. A program that is newer than the library is refused with
 * AURIENT_INVALID_SIZE only where it sets something that the library does not know.
 *
 * Lists are written into an array of the caller's: `capacity` elements of `element_size` bytes, which is sizeof of
 * the element; `*count` becomes the number that there are, which may be more than were written. With capacity 0 the
 * array may be NULL.
 *
 * Errors: every call that can fail returns an aurient_status. Anything but AURIENT_OK means that nothing has
 * changed, unless the call says otherwise. What went wrong, in words, is kept for the calling thread
 * (aurient_last_message) and for the session (aurient_session_message). No call ends the process, raises a signal
 * or prints.
 *
 * Environment: the first call that opens, lists, converts or renders sets ALSOFT_CONF and a few other variables for
 * OpenAL Soft, which reads them at its first use in the process. setenv() and getenv() are not safe against each
 * other in a program of several threads: make that call early.
 *
 * Handles are numbers that the library looks up, not addresses: one that is NULL, closed, or was never given is
 * answered with AURIENT_INVALID_HANDLE.
 *
 * Threads: any thread may call anything at any time, also on the same session, except where a call says otherwise.
 * Sessions know nothing of each other. After fork(), only exec() is safe in the child.
 *
 * Promise: within one AURIENT_ABI_VERSION symbols are only added, structures only grow at their ends, and numbers
 * of enumerations keep their meaning. libaurient.so.N has ABI version N.
 */
#ifndef AURIENT_H
#define AURIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. */
#define AURIENT_VERSION_MAJOR 0
#define AURIENT_VERSION_MINOR 1
#define AURIENT_VERSION_PATCH 0

/* The version of the binary interface: what the library's SONAME ends with. */
#define AURIENT_ABI_VERSION 1

/* What became of a call. */
typedef enum aurient_status {
  /* Done. */
  AURIENT_OK = 0,
  /* A pointer is NULL that may not be; a number is NAN, infinite or out of its range; text is not UTF-8, or is
   * empty or too long. */
  AURIENT_INVALID_ARGUMENT = 1,
  /* The handle is NULL, closed, or was never given. */
  AURIENT_INVALID_HANDLE = 2,
  /* struct_size or element_size is that of no version of the structure, or asks for what this version of the
   * library does not have. */
  AURIENT_INVALID_SIZE = 3,
  /* There is no such file, beacon, data set, style or device. */
  AURIENT_NOT_FOUND = 4,
  /* A file exists but cannot be read, is damaged, or cannot be used for this. */
  AURIENT_BAD_FILE = 5,
  /* A file cannot be written. */
  AURIENT_UNWRITABLE = 6,
  /* There is no sound device, or OpenAL refuses something. */
  AURIENT_DEVICE = 7,
  /* Another thread is in the same call, which one at a time may be in. */
  AURIENT_BUSY = 8,
  /* There is no room: too many sessions, beacons, or inputs that wait for sound to be pulled. */
  AURIENT_FULL = 9,
  /* The progress function said so. */
  AURIENT_CANCELLED = 10,
  /* The call is not for this kind of session, or not for its state: it is pulled and not live or the other way
   * round, has ended, has no route, or it is too late. */
  AURIENT_WRONG_STATE = 11,
  /* A port or another service of the system cannot be had. */
  AURIENT_SYSTEM = 12,
  /* Something that should not be; the message is worth a report. */
  AURIENT_INTERNAL = 13
} aurient_status;

/* A session: a scene of beacons and one listener. See aurient_session_open_pulled and aurient_session_open_live. */
typedef struct aurient_session aurient_session;

/* ---- The library ---------------------------------------------------------------------------------------- */

/* The library's version, such as "0.1.0". Never NULL; belongs to the library. */
const char *aurient_version(void);

/* The library's AURIENT_ABI_VERSION. */
int32_t aurient_abi_version(void);

/* The name of a status, such as "AURIENT_OK"; "unknown" for other numbers. Belongs to the library. */
const char *aurient_status_name(aurient_status status);

/*
 * What went wrong in the calling thread's last call that failed: one line such as
 * "walk.gpx: line 12: latitude 91.2 is outside -90 to 90"; empty if none has.
 *
 * buffer    gets the text, cut off at a whole character if it has no room; always ended with a zero byte. May be
 *           NULL if capacity is 0.
 * capacity  bytes of the buffer.
 * Returns the bytes of the whole text without the zero, as snprintf does. aurient_session_pull keeps no message
 * here, only its status.
 */
size_t aurient_last_message(char *buffer, size_t capacity);

/*
 * Names the folder that holds the data that ships: HRTF, Sounds and Magnetism. Without this call it is $AURIENT_DATA,
 * else ../share/aurient beside the folder of the library, else that of the program or the nearest folder above it.
 *
 * Errors: AURIENT_INVALID_ARGUMENT; AURIENT_NOT_FOUND if there is no such folder; AURIENT_WRONG_STATE once a call
 * has looked for data.
 */
aurient_status aurient_set_data_folder(const char *path);

/* ---- Devices and data sets ------------------------------------------------------------------------------ */

/* A sound device, or a data set of head-related responses (HRTF): whose ears the listener has. */
typedef struct aurient_name {
  /* By which it can be asked for; cut off at a whole character if it is longer. */
  char name[256];
  /* Of a device, 1 for the one that is used if none is named. Of a data set, 1 for one that ships with Aurient and 0
   * for one of OpenAL's own. */
  int32_t is_standard;
  int32_t reserved;
} aurient_name;

/*
 * Lists the sound devices as they are now. Takes some hundredths of a second.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_SIZE; AURIENT_DEVICE if there is none.
 */
aurient_status aurient_list_devices(
    aurient_name *devices, size_t capacity, size_t element_size, size_t *count);

/*
 * Lists the data sets that can be asked for by name; SOFA and MinPHR02 files can be asked for by path besides.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_SIZE, AURIENT_DEVICE.
 */
aurient_status aurient_list_data_sets(
    aurient_name *data_sets, size_t capacity, size_t element_size, size_t *count);

/*
 * Is told how far a long call has come, from 0 to 1, on the thread of that call, some times a second.
 * Returns 0 to go on; anything else ends the call with AURIENT_CANCELLED. It may call any function of the library;
 * it must not leave by longjmp or an exception.
 */
typedef int32_t (*aurient_progress)(double fraction, void *context);

/* By which response all those of a SOFA file are divided. */
typedef enum aurient_equalization {
  /* None: the file is the truth. */
  AURIENT_EQUALIZE_NONE = 0,
  /* By the mean over all directions. */
  AURIENT_EQUALIZE_DIFFUSE_FIELD = 1,
  /* By the one from ahead. */
  AURIENT_EQUALIZE_FREE_FIELD = 2
} aurient_equalization;

/*
 * Converts a SOFA file of one distance to a data set of OpenAL Soft (MinPHR02). Takes up to some seconds.
 *
 * sofa_path           the file, or the name of a data set that ships.
 * mhr_path            what to write; a file there is replaced, when all has gone well.
 * equalization        see there.
 * head_circumference  of the listener, centimetres, 45 to 70, to which interaural times are scaled; 0 to leave them.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_NOT_FOUND, AURIENT_BAD_FILE, AURIENT_UNWRITABLE.
 */
aurient_status aurient_convert_sofa(
    const char *sofa_path, const char *mhr_path, aurient_equalization equalization,
    double head_circumference);

/* How faithfully a SOFA file is played, over all of its directions. */
typedef struct aurient_fidelity {
  size_t struct_size;
  /* Directions that were compared. */
  uint64_t direction_count;
  /* Log-spectral distortion of rendered against measured responses, dB: mean and 95th percentile. */
  double spectral_distortion_mean;
  double spectral_distortion_p95;
  /* Error of interaural time within 75 degrees of the median plane, microseconds: mean and 95th percentile. */
  double time_error_mean;
  double time_error_p95;
  /* Error of interaural level, dB: mean and 95th percentile. */
  double level_error_mean;
  double level_error_p95;
  /* 1 if left and right of the file are exchanged, as far as can be told. */
  int32_t is_mirrored;
  int32_t reserved;
} aurient_fidelity;

/*
 * Renders a click from every direction of a SOFA file and compares it with the file. Takes up to some minutes.
 *
 * sofa_path  the file, or the name of a data set that ships.
 * fidelity   gets the result; its struct_size is set.
 * progress   may be NULL.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_SIZE, AURIENT_NOT_FOUND, AURIENT_BAD_FILE, AURIENT_DEVICE,
 * AURIENT_CANCELLED.
 */
aurient_status aurient_verify_sofa(
    const char *sofa_path, aurient_fidelity *fidelity, aurient_progress progress, void *context);

/* ---- Rendering files ------------------------------------------------------------------------------------ */

/* What to render, see aurient_render. */
typedef struct aurient_render_options {
  size_t struct_size;
  /* A scene file (JSON), or the folder of a recorded session. Needed. */
  const char *scene_path;
  /* The stereo file to write; .wav, .flac or .ogg chooses the format. Needed. */
  const char *output_path;
  /* Files to write, or NULL: a row a head frame as CSV; the walk as SVG. */
  const char *trace_path;
  const char *plot_path;
  /* Instead of what the scene says; NULL or 0 leaves that. The rate is from 8000 to 192000. */
  const char *hrtf;
  int32_t sample_rate;
  /* Threads that render, up to 1024, on which no sample depends; 0 for as many as keep all cores busy. */
  int32_t thread_count;
  /* Called while it goes on, or NULL; and what is handed to it. */
  aurient_progress progress;
  void *progress_context;
} aurient_render_options;

/*
 * Renders a scene file to a sound file, as fast as the machine can; the same inputs give the same bytes. No output
 * appears unless all could be finished.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_SIZE, AURIENT_NOT_FOUND, AURIENT_BAD_FILE, AURIENT_UNWRITABLE,
 * AURIENT_DEVICE, AURIENT_CANCELLED. A recorded session is rendered by one thread, and takes neither trace, plot, hrtf
 * nor sample_rate (AURIENT_INVALID_ARGUMENT).
 */
aurient_status aurient_render(const aurient_render_options *options);

/* ---- Sessions ------------------------------------------------------------------------------------------- */

/* What the zero of a head's yaw is. */
typedef enum aurient_head_reference {
  /* Anything, as with headphones: phone heading and course find it, or aurient_session_recenter sets it. */
  AURIENT_HEAD_UNKNOWN = 0,
  /* True north, or what the program takes for it: heading is yaw from the first frame on. */
  AURIENT_HEAD_NORTH = 1
} aurient_head_reference;

/* How the zero of a head's yaw is found. */
typedef enum aurient_calibrator {
  /* By phone and course, weighed by how they agree. */
  AURIENT_CALIBRATOR_ADAPTIVE = 0,
  /* The published one of Microsoft Soundscape. */
  AURIENT_CALIBRATOR_CLASSIC = 1
} aurient_calibrator;

/* How far ahead of the ear a device mixes. It holds for the process: the first session or list of devices sets it. */
typedef enum aurient_latency {
  /* As OpenAL is configured. */
  AURIENT_LATENCY_CONFIGURED = 0,
  /* 3 x 128 frames, 3 x 512, 3 x 1024. */
  AURIENT_LATENCY_LOW = 1,
  AURIENT_LATENCY_NORMAL = 2,
  AURIENT_LATENCY_SAFE = 3
} aurient_latency;

/* How a session is opened. 0 or NULL is the default of each. */
typedef struct aurient_session_options {
  size_t struct_size;
  /* A scene file (JSON) to begin with; NULL for a scene without beacons. What follows goes before what it says. */
  const char *scene_path;
  /* The data set: a name, the start of just one, a .sofa or an .mhr file; NULL for the one that ships for the rate. */
  const char *hrtf;
  /* What beacons sound like: a sound file; or a style, by name (drops, shaker, sticks, wood) or folder, which goes
   * before. NULL for the sound that ships. */
  const char *sound;
  const char *style;
  /* A GPX file whose route's places sound one after the other. */
  const char *route;
  /* Of all beacons, dB, -120 to 0. */
  double gain;
  /* Of a pulled session, 8000 to 192000; 0 for the data set's own. A live one has the device's. */
  int32_t sample_rate;
  /* Beacons that there is room for, 1 to 255; 0 for 64. Of a pulled session alone; each costs some 100 kB. */
  int32_t beacon_capacity;
  aurient_head_reference head_reference;
  aurient_calibrator calibrator;
  /* 1 leaves out pitch and roll of the head. */
  int32_t is_yaw_only;
  /* 1 makes up distances nearer than measured, down to 0.15 m. */
  int32_t is_near_field;
  /* UDP ports on which heads and phones are listened to: OSC in the dialects of docs/motion-sources.md, or opentrack.
   * 0 for none, -1 for any that is free (aurient_session_port tells which), 1 to 65535. Only one of the two. */
  int32_t osc_port;
  int32_t opentrack_port;
  /* The numeric address to listen on; NULL for 127.0.0.1, which only this machine can reach. */
  const char *listen_address;
  /* 1 if senders mean the inverse of what their dialect says. */
  int32_t is_head_inverse;
  /* Of a live session: how far ahead it mixes. */
  aurient_latency latency;
  /* Of a live session: one of aurient_list_devices; NULL for the default device. */
  const char *device;
  /* Of a live session: a new folder to keep all that comes in, which aurient_render renders again; NULL for none. */
  const char *record_folder;
  /* Places from gpsd, "HOST:PORT"; or from NMEA 0183, "tcp:HOST:PORT", "udp:PORT", "serial:PATH[:BAUD]" or
   * "file:PATH". Only one of the two. */
  const char *gpsd;
  const char *nmea;
} aurient_session_options;

/*
 * Opens a session whose sound the caller takes, with aurient_session_pull: for the callback of an audio system of
 * its own, or for a file. Its clock is 0 at the beginning and moves with the sound: what is pulled depends on the
 * calls and their times alone, and the same ones give the same samples (unless a port is listened to): pulls of the
 * same lengths, too, since OpenAL fades over what is mixed at once, up to 128 frames.
 *
 * options  NULL for all defaults.
 * session  gets the handle, to be given to aurient_session_close; NULL after an error.
 * A data set that is used for the first time is converted, which takes up to some seconds; it is kept in
 * $XDG_CACHE_HOME/aurient. The logs of a scene file (track, head, phone) are not played: see aurient_render.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_SIZE, AURIENT_NOT_FOUND, AURIENT_BAD_FILE, AURIENT_DEVICE,
 * AURIENT_SYSTEM (the port is in use), AURIENT_FULL (there are 1024 sessions). A sound or style of the options that new
 * beacons have is looked at with the first of them.
 */
aurient_status aurient_session_open_pulled(
    const aurient_session_options *options, aurient_session **session);

/*
 * Opens a session that plays on a sound device, from a thread of its own, until it is closed. Its clock is the
 * machine's, 0 at the beginning. A device that is lost is opened again as soon as it is back. Logs of the scene file
 * are played as they were recorded, and the session ends with them.
 *
 * Parameters and errors are those of aurient_session_open_pulled; AURIENT_DEVICE, too, if there is no device.
 */
aurient_status aurient_session_open_live(
    const aurient_session_options *options, aurient_session **session);

/*
 * Ends a session and frees all that is its own. Waits for calls of other threads on it, which end soon; later ones
 * are answered with AURIENT_INVALID_HANDLE. Not for real-time threads.
 * Errors: AURIENT_INVALID_HANDLE.
 */
aurient_status aurient_session_close(aurient_session *session);

/*
 * What went wrong in the session's last call that failed, whatever its thread, or why the session has ended; as
 * aurient_last_message. Empty also for a handle that is none.
 */
size_t aurient_session_message(aurient_session *session, char *buffer, size_t capacity);

/*
 * Renders the next frames of a pulled session.
 *
 * samples      gets left and right samples by turns, 2 * frame_count floats, full scale 1, which loud scenes may go
 *              beyond. Belongs to the caller. Not written to after an error.
 * frame_count  0 to 1048576.
 *
 * For real-time threads, once a session of the process has been pulled (the first has Swift's runtime make some types,
 * which are kept): it neither locks nor allocates nor waits for other calls; its time is proportional to
 * frame_count and to the number of beacons that sound. OpenAL Soft, which mixes, takes locks of its own: the
 * session's, which nobody else holds, and one of the process, which others hold for about a microsecond while they
 * pull, open or close. What other calls have asked for before is carried out at its beginning, or at the exact frame
 * of its time. The thread's own OpenAL context, if it has one, is left as it was.
 * One thread at a time pulls.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_HANDLE, AURIENT_BUSY, AURIENT_WRONG_STATE (a live session).
 */
aurient_status aurient_session_pull(aurient_session *session, float *samples, size_t frame_count);

/*
 * Frames a second. Of a live session it may change when its device comes back.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_HANDLE.
 */
aurient_status aurient_session_sample_rate(aurient_session *session, int32_t *sample_rate);

/*
 * The UDP port that heads are listened to on; 0 for none.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_HANDLE.
 */
aurient_status aurient_session_port(aurient_session *session, int32_t *port);

/* ---- The listener --------------------------------------------------------------------------------------- */

/*
 * Of the calls below, `time` is by the session's clock, seconds. In a pulled session the input counts from the frame
 * at that time on, which may lie up to 3600 s ahead; NAN or a time that has passed means the next frame pulled. In a
 * live session it counts at once, whatever the time. Inputs of the same time count in the order of the calls.
 *
 * In a pulled session they neither lock nor allocate, unless they fail: real-time threads may make them too. 1024
 * inputs may wait there; more are refused with AURIENT_FULL until some have been carried out.
 *
 * Common errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_HANDLE, AURIENT_FULL, AURIENT_WRONG_STATE (the session has
 * ended).
 */

/*
 * The head's attitude, as a unit quaternion in the axes of Core Motion: of the head x right, y ahead, z up, against a
 * frame whose z is up and whose yaw has the zero of head_reference (for AURIENT_HEAD_NORTH y is north). Its length is
 * from 0.5 to 2, and made 1. A head of which nothing comes for 2 s is lost.
 */
aurient_status aurient_session_push_head_quaternion(
    aurient_session *session, double time, double x, double y, double z, double w);

/*
 * The head's attitude as angles, each from -360 to 360: turned right by yaw, then up by pitch about the axis through
 * its ears, then its right ear down by roll about the axis through its nose.
 */
aurient_status aurient_session_push_head_angles(
    aurient_session *session, double time, double yaw, double pitch, double roll);

/* The headphones have gone; the next frame begins another connection, whose yaw has another zero. */
aurient_status aurient_session_push_head_lost(aurient_session *session, double time);

/*
 * A reading of a phone's compass, which counts for 3 s.
 *
 * true_heading, magnetic_heading  0 to 360, or NAN; one of them is known. A magnetic one becomes a true one by the
 *                                 World Magnetic Model where the place is known.
 * accuracy                        the largest expected error, 0 to 180, or NAN; negative says that the phone has no
 *                                 valid heading now.
 */
aurient_status aurient_session_push_phone_heading(
    aurient_session *session, double time, double true_heading, double magnetic_heading,
    double accuracy);

/*
 * Where the listener is. An older place is kept, however old; it is stale after 10 s. Course as of the next call,
 * NAN if there is none.
 */
aurient_status aurient_session_push_location(
    aurient_session *session, double time, double latitude, double longitude, double course,
    double course_accuracy);

/*
 * The direction of travel, 0 to 360, which counts for 3 s, or NAN for none any more; and its expected error, 0 to 180,
 * or NAN.
 */
aurient_status aurient_session_push_course(
    aurient_session *session, double time, double course, double course_accuracy);

/* The place is not known any more: there is no course, and the last place grows stale. */
aurient_status aurient_session_push_location_lost(aurient_session *session, double time);

/* ---- Beacons and sound ---------------------------------------------------------------------------------- */

/*
 * The calls below take effect with the next sound, all that were made before it together. They may lock, allocate
 * and read files: not for real-time threads. A beacon is called by its name, 1 to 64 bytes without control
 * characters, which is its alone; those of a scene file without a name are "beacon 1" and so on, by their number.
 *
 * Common errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_HANDLE, AURIENT_NOT_FOUND (no such beacon), AURIENT_FULL,
 * AURIENT_WRONG_STATE (the session has ended).
 */

/*
 * Has the head's present attitude taken as looking level in a direction, until its connection ends.
 *
 * heading  -360 to 360; NAN for the way that the listener is taken to look, north if that is not known.
 * Before the first head frame it does nothing but count as refused in aurient_state.
 */
aurient_status aurient_session_recenter(aurient_session *session, double heading);

/*
 * Puts a beacon at a place, -90 to 90 and -180 to 180; or moves the one of that name there. A new one sounds as the
 * options of the session say. Errors: besides the common ones those of its sound (AURIENT_NOT_FOUND,
 * AURIENT_BAD_FILE).
 */
aurient_status aurient_session_place_beacon(
    aurient_session *session, const char *name, double latitude, double longitude);

/*
 * Puts a beacon in a direction, -360 to 360 from north, at a distance, more than 0 to 20000000 m, from where the
 * listener is when this takes effect; or moves the one of that name there. It then stays in the world. Where the
 * listener's place has never been known, the listener is first put at 0 N, 0 E: for programs without places.
 */
aurient_status aurient_session_place_beacon_around(
    aurient_session *session, const char *name, double bearing, double distance);

/* Takes a beacon away; not a place of a route (AURIENT_WRONG_STATE). */
aurient_status aurient_session_remove_beacon(aurient_session *session, const char *name);

/* Gives a beacon a style, by name or folder. Errors: AURIENT_BAD_FILE besides. */
aurient_status aurient_session_set_beacon_style(
    aurient_session *session, const char *name, const char *style);

/* Gives a beacon a sound file, played as a loop, the same from all directions. Errors: AURIENT_BAD_FILE besides. */
aurient_status aurient_session_set_beacon_sound(
    aurient_session *session, const char *name, const char *path);

/* Sets a beacon's loudness against its sound, dB, -120 to 0. */
aurient_status aurient_session_set_beacon_gain(
    aurient_session *session, const char *name, double gain);

/* Turns a beacon off (not 0) or on again (0), on its beat. */
aurient_status aurient_session_mute_beacon(
    aurient_session *session, const char *name, int32_t is_muted);

/*
 * Says words, UTF-8 of which 300 characters are said, from a beacon's place, after those before; until they end beacons
 * are 12 dB softer. espeak-ng makes them, in the voice of the scene's callouts, which takes a tenth of a second. Words
 * for which there is no room count as refused in aurient_state. Errors: AURIENT_NOT_FOUND if espeak-ng is not
 * installed, AURIENT_BAD_FILE if it fails.
 */
aurient_status aurient_session_say(aurient_session *session, const char *name, const char *words);

/* Sets the loudness of all beacons together, dB, -120 to 0; a change takes 0.1 s at most. */
aurient_status aurient_session_set_volume(aurient_session *session, double gain);

/* Goes on to a place of the route, or back to it, counted from 0. Errors: AURIENT_WRONG_STATE if there is none. */
aurient_status aurient_session_set_route_place(aurient_session *session, int32_t place);

/*
 * Gives the listener other ears: a data set as in aurient_session_options; NULL for the one that ships for the rate.
 * The one before is heard until it is ready, up to some seconds, for which the call lasts; sounds then begin anew. A
 * live session that is recorded keeps its ears (AURIENT_WRONG_STATE).
 * Errors: AURIENT_NOT_FOUND, AURIENT_BAD_FILE, AURIENT_DEVICE besides.
 */
aurient_status aurient_session_set_hrtf(aurient_session *session, const char *hrtf);

/* ---- State ---------------------------------------------------------------------------------------------- */

/* What the heading was taken from. */
typedef enum aurient_heading_source {
  AURIENT_HEADING_NONE = 0,
  /* The calibrated head, the direction of travel, the phone's compass: the first of them that is known. */
  AURIENT_HEADING_HEAD = 1,
  AURIENT_HEADING_COURSE = 2,
  AURIENT_HEADING_PHONE = 3
} aurient_heading_source;

/* How far head tracking has come. */
typedef enum aurient_tracking {
  /* No head has been heard of, or nothing uses it. */
  AURIENT_TRACKING_UNAVAILABLE = 0,
  AURIENT_TRACKING_INACTIVE = 1,
  /* Frames have come and do no longer. */
  AURIENT_TRACKING_DISCONNECTED = 2,
  /* Frames come; where their yaw's zero lies is not known yet. */
  AURIENT_TRACKING_CONNECTED = 3,
  /* The head's heading is known. */
  AURIENT_TRACKING_CALIBRATED = 4
} aurient_tracking;

/* Whether a beacon sounds, and if not, why. */
typedef enum aurient_presence {
  AURIENT_BEACON_SOUNDING = 0,
  /* It is muted. */
  AURIENT_BEACON_OFF = 1,
  /* Another place of the route comes before it. */
  AURIENT_BEACON_WAITING = 2,
  /* The listener has come to it. */
  AURIENT_BEACON_ARRIVED = 3
} aurient_presence;

/* The region around the listener in which a beacon of a style lies. */
typedef enum aurient_region {
  /* No style, or no heading yet. */
  AURIENT_REGION_NONE = 0,
  AURIENT_REGION_ON = 1,
  AURIENT_REGION_NEAR = 2,
  AURIENT_REGION_BESIDE = 3,
  AURIENT_REGION_BEHIND = 4
} aurient_region;

/* How a session stands. */
typedef struct aurient_state {
  size_t struct_size;
  /* The session's clock, s. */
  double time;
  /* The listener's place. */
  double latitude;
  double longitude;
  /* The heading by which sound is presented, and what it was taken from. */
  double heading;
  aurient_heading_source heading_source;
  aurient_tracking tracking;
  /* Degrees within which the head's heading lies at 95 %. */
  double heading_uncertainty;
  /* The headings of each source, where they count. */
  double head_heading;
  double course;
  double phone_heading;
  /* Seconds since the newest of each. */
  double location_age;
  double course_age;
  double phone_age;
  double head_age;
  /* The loudest sample of the beacons' own sounds since the state that was read before, 0 to 1. */
  double peak;
  /* 1 if the place is too old to be trusted, or there is none. */
  int32_t is_location_stale;
  /* 1 while the device of a live session is there; always 1 for a pulled one. */
  int32_t is_playing;
  /* 1 once a live session has ended, by its logs' end or by a fault (aurient_session_message). */
  int32_t has_ended;
  /* How often a live session's device was opened anew. */
  int32_t reopenings;
  /* The place of the route that sounds, counted from 0, and how many there are; 0 of 0 without a route. */
  int32_t route_place;
  int32_t route_count;
  /* Beacons that there are. */
  int32_t beacon_count;
  int32_t reserved;
  /* Frames pulled so far; 0 for a live session. */
  uint64_t frame_count;
  /* Recentrings that had no head to recentre, and what else could not be carried out when its time had come. */
  uint64_t refused_count;
} aurient_state;

/*
 * How the session stands: of a pulled one as after the last pull, of a live one as of some hundredths of a second
 * ago. May lock and allocate, as the next call: not for real-time threads.
 * state  gets it; its struct_size is set.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_HANDLE, AURIENT_INVALID_SIZE.
 */
aurient_status aurient_session_state(aurient_session *session, aurient_state *state);

/* How a beacon stands. */
typedef struct aurient_beacon_state {
  /* Its name; cut off at a whole character if it is longer. */
  char name[128];
  double latitude;
  double longitude;
  /* From the listener: degrees from north, and metres; 0 and 0 before the first place. */
  double bearing;
  double distance;
  /* Degrees to the right of where the listener looks, (-180, 180]; NAN while no heading is known. */
  double relative_bearing;
  aurient_presence presence;
  aurient_region region;
} aurient_beacon_state;

/*
 * How the beacons stand, of the same moment as the aurient_state that is read next to it unless sound was made in
 * between; a route's places first. One that was placed since the last sound is not listed yet.
 * Errors: AURIENT_INVALID_ARGUMENT, AURIENT_INVALID_HANDLE, AURIENT_INVALID_SIZE.
 */
aurient_status aurient_session_beacons(
    aurient_session *session, aurient_beacon_state *beacons, size_t capacity, size_t element_size,
    size_t *count);

#ifdef __cplusplus
}
#endif

#endif
