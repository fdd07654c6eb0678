import Files
import Glibc

// A reader that goes away early is seen where it is written to, see `printOut`.
signal(SIGPIPE, SIG_IGN)
TemporaryFiles.removeOnSignals()
exit(run(Array(CommandLine.arguments.dropFirst())))
