import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Writes the float bits of both of Java's sines of all steps of a turn. */
public class Sines {
    public static void main(String[] args) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out))) {
            for (int i = 0; i < 65536; i++) {
                double angle = i / 10430.378350470453;
                out.writeFloat((float) Math.sin(angle));
                out.writeFloat((float) StrictMath.sin(angle));
            }
        }
    }
}
