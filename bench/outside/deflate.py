# C zlib as Python ships it, driven by package bench through pipes. All numbers
# are little-endian. On start: u16 length and a name for the report. Then, for
# each request byte:
#   L  u32 count, for each document u32 length and its bytes; no reply
#   P  u8 level, u8 streams wanted; the reply is u64 wall ns to compress, u64
#      wall ns to decompress, for each document u32 stream length, u64 CPU ns to
#      compress, u64 CPU ns to decompress, and the streams if they were wanted
# The end of the input ends the program. CPU time is that of this thread.
import signal
import struct
import sys
import time
import zlib

signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
source, sink = sys.stdin.buffer, sys.stdout.buffer
cpu, wall = time.thread_time_ns, time.perf_counter_ns


def take(n):
    data = source.read(n)
    if len(data) != n:
        sys.exit(0)
    return data


def one_pass(documents, level, wanted):
    streams, compress, decompress = [], [], []
    start = wall()
    for document in documents:
        begun = cpu()
        stream = zlib.compress(document, level)
        compress.append(cpu() - begun)
        streams.append(stream)
    middle = wall()
    for document, stream in zip(documents, streams):
        begun = cpu()
        back = zlib.decompress(stream, bufsize=len(document) or 1)
        decompress.append(cpu() - begun)
        if back != document:
            sys.exit("a stream decodes to other bytes")
    end = wall()
    reply = bytearray(struct.pack("<QQ", middle - start, end - middle))
    for stream, there, back in zip(streams, compress, decompress):
        reply += struct.pack("<IQQ", len(stream), there, back)
    sink.write(reply)
    if wanted:
        for stream in streams:
            sink.write(stream)
    sink.flush()


name = ("zlib %s, Python %s" % (zlib.ZLIB_RUNTIME_VERSION, sys.version.split()[0])).encode()
sink.write(struct.pack("<H", len(name)) + name)
sink.flush()
documents = []
while True:
    request = source.read(1)
    if request == b"L":
        (count,) = struct.unpack("<I", take(4))
        documents = []
        for _ in range(count):
            (size,) = struct.unpack("<I", take(4))
            documents.append(take(size))
    elif request == b"P":
        level, wanted = take(2)
        one_pass(documents, level, wanted)
    else:
        sys.exit(0 if request == b"" else "unknown request %r" % request)
