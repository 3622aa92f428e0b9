import java.io.*;
import java.lang.reflect.Constructor;
import java.security.MessageDigest;
import java.util.zip.*;

/**
 * Decodes streams the way the game does, with the JDK's own classes, and
 * answers what came out. Requests on stdin, answers on stdout, in order:
 *
 *   request: u8 scheme (1 gzip, 2 zlib, 4 lz4), i32 length, stream
 *   answer:  i32 payload length or -1, 32 bytes SHA-256 of the payload,
 *            i32 length of java.util.zip.Deflater's own zlib stream of the
 *            payload at level 6, that stream
 *
 * After -1 only the message of the exception follows, as modified UTF-8.
 * LZ4 needs lz4-java on the class path; a first request of scheme 4 and
 * length 0 is answered with 1 if it is there, else 0.
 */
public class Judge {
    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        for (int scheme; (scheme = in.read()) >= 0; ) {
            byte[] stream = new byte[in.readInt()];
            in.readFully(stream);
            if (scheme == 4 && stream.length == 0) {
                out.writeInt(lz4Reader() != null ? 1 : 0);
                out.flush();
                continue;
            }
            byte[] payload;
            try {
                payload = open(scheme, new ByteArrayInputStream(stream)).readAllBytes();
            } catch (Exception e) {
                out.writeInt(-1);
                out.writeUTF(String.valueOf(e));
                out.flush();
                continue;
            }
            out.writeInt(payload.length);
            out.write(MessageDigest.getInstance("SHA-256").digest(payload));
            byte[] own = deflate(payload);
            out.writeInt(own.length);
            out.write(own);
            out.flush();
        }
        out.flush();
    }

    static InputStream open(int scheme, InputStream stream) throws Exception {
        switch (scheme) {
            case 1: return new GZIPInputStream(stream);
            case 2: return new InflaterInputStream(stream, new Inflater());
            case 4: return lz4Reader().newInstance(stream);
        }
        throw new IOException("scheme " + scheme);
    }

    @SuppressWarnings("unchecked")
    static Constructor<? extends InputStream> lz4Reader() throws Exception {
        try {
            return (Constructor<? extends InputStream>)
                Class.forName("net.jpountz.lz4.LZ4BlockInputStream").getConstructor(InputStream.class);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    static byte[] deflate(byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(payload);
        }
        return bytes.toByteArray();
    }
}
