import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Java's Deflater and Inflater, which the game itself uses, driven by package
 * bench through pipes. deflate.py describes the requests and replies.
 */
public final class Deflate {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int LARGEST = 256 << 20;

    private final DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
    private final OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
    private byte[][] documents = {};

    public static void main(String[] args) throws Exception {
        new Deflate().serve();
    }

    private void serve() throws IOException, DataFormatException {
        byte[] name = ("Deflater, Java " + System.getProperty("java.version")).getBytes(StandardCharsets.UTF_8);
        write(buffer(2 + name.length).putShort((short) name.length).put(name));
        out.flush();
        for (int request = in.read(); request >= 0; request = in.read()) {
            switch (request) {
                case 'L':
                    load();
                    break;
                case 'P':
                    pass(in.readUnsignedByte(), in.readUnsignedByte() != 0);
                    break;
                default:
                    throw new IOException("unknown request " + request);
            }
        }
    }

    private void load() throws IOException {
        documents = new byte[readLength()][];
        for (int i = 0; i < documents.length; i++) {
            documents[i] = new byte[readLength()];
            in.readFully(documents[i]);
        }
    }

    private int readLength() throws IOException {
        int n = Integer.reverseBytes(in.readInt());
        if (n < 0 || n > LARGEST) {
            throw new EOFException("length " + n);
        }
        return n;
    }

    private void pass(int level, boolean wanted) throws IOException, DataFormatException {
        int n = documents.length;
        byte[][] streams = new byte[n][];
        long[] compress = new long[n];
        long[] decompress = new long[n];
        Deflater deflater = new Deflater(level);
        Inflater inflater = new Inflater();
        byte[] scratch = new byte[1 << 16];
        byte[] back = {};
        long start = System.nanoTime();
        for (int i = 0; i < n; i++) {
            scratch = room(scratch, documents[i].length + documents[i].length / 1000 + 1024);
            long begun = THREADS.getCurrentThreadCpuTime();
            deflater.reset();
            deflater.setInput(documents[i]);
            deflater.finish();
            int size = deflater.deflate(scratch);
            compress[i] = THREADS.getCurrentThreadCpuTime() - begun;
            if (!deflater.finished()) {
                throw new IOException("a stream does not fit");
            }
            streams[i] = Arrays.copyOf(scratch, size);
        }
        long middle = System.nanoTime();
        for (int i = 0; i < n; i++) {
            back = room(back, documents[i].length);
            long begun = THREADS.getCurrentThreadCpuTime();
            inflater.reset();
            inflater.setInput(streams[i]);
            int size = 0;
            while (!inflater.finished()) {
                int got = inflater.inflate(back, size, back.length - size);
                if (got == 0 && !inflater.finished()) {
                    throw new IOException("a stream is longer than its document");
                }
                size += got;
            }
            decompress[i] = THREADS.getCurrentThreadCpuTime() - begun;
            if (!Arrays.equals(back, 0, size, documents[i], 0, documents[i].length)) {
                throw new IOException("a stream decodes to other bytes");
            }
        }
        long end = System.nanoTime();
        deflater.end();
        inflater.end();
        ByteBuffer reply = buffer(16 + 20 * n).putLong(middle - start).putLong(end - middle);
        for (int i = 0; i < n; i++) {
            reply.putInt(streams[i].length).putLong(compress[i]).putLong(decompress[i]);
        }
        write(reply);
        for (int i = 0; wanted && i < n; i++) {
            out.write(streams[i]);
        }
        out.flush();
    }

    /** A buffer with one byte to spare, so that the end of a stream is seen. */
    private static byte[] room(byte[] b, int size) {
        return b.length > size ? b : new byte[size + 1];
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void write(ByteBuffer b) throws IOException {
        out.write(b.array(), 0, b.position());
    }
}
