import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Says what Java knows of names of characters. For each line of the input, the
 * code point of that name in hexadecimal, or "-" if there is none; then, for
 * every character that has one, a line with its code point and its name.
 */
public class CharacterNames {
    public static void main(String[] args) throws Exception {
        StringBuilder out = new StringBuilder();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.append(resolve(line)).append('\n');
        }
        for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
            String name = Character.getName(code);
            if (name != null) {
                out.append(Integer.toHexString(code)).append(' ').append(name).append('\n');
            }
        }
        PrintStream stdout = new PrintStream(System.out, false, "US-ASCII");
        stdout.print(out);
        stdout.flush();
    }

    private static String resolve(String name) {
        try {
            return Integer.toHexString(Character.codePointOf(name));
        } catch (IllegalArgumentException e) {
            return "-";
        }
    }
}
