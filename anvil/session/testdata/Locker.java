import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Locks a file the way a Java program does, says how that went, and holds it until its input ends. */
public class Locker {
    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock lock = file.tryLock();
            if (lock == null) {
                System.out.println("refused");
                return;
            }
            if (args.length > 1) {
                file.write(ByteBuffer.wrap(args[1].getBytes("UTF-8")), 0);
                file.force(true);
            }
            System.out.println("locked");
            while (System.in.read() >= 0) {
            }
        }
    }
}
