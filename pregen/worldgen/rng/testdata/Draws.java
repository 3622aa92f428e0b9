import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Prints what the Java library's own generators draw, one value a line, for
 * the seeds given as arguments. Doubles and floats are printed as their bits.
 */
class Draws {
    static final int[] BOUNDS = {1, 2, 3, 10, 16, 256, 262, 1000, 1 << 30, (1 << 30) + 1, Integer.MAX_VALUE};
    static final StringBuilder out = new StringBuilder();

    static void line(String kind, long value) {
        out.append(kind).append(' ').append(value).append('\n');
    }

    public static void main(String[] args) {
        for (String arg : args) {
            long seed = Long.parseLong(arg);
            out.append("seed ").append(seed).append('\n');
            legacy(new Random(seed));
            xoroshiro(RandomGeneratorFactory.of("Xoroshiro128PlusPlus").create(seed));
            shuffle(seed);
        }
        logs();
        hashes();
        System.out.print(out);
    }

    static void legacy(Random r) {
        for (int round = 0; round < 40; round++) {
            line("int", r.nextInt());
            for (int bound : BOUNDS) line("intn", r.nextInt(bound));
            line("long", r.nextLong());
            line("bool", r.nextBoolean() ? 1 : 0);
            line("float", Float.floatToRawIntBits(r.nextFloat()));
            line("double", Double.doubleToRawLongBits(r.nextDouble()));
        }
    }

    static void xoroshiro(RandomGenerator r) {
        for (int round = 0; round < 200; round++) line("xoro", r.nextLong());
        for (int round = 0; round < 40; round++) {
            line("xorodouble", Double.doubleToRawLongBits(r.nextDouble()));
            line("xorofloat", Float.floatToRawIntBits(r.nextFloat()));
        }
    }

    static void shuffle(long seed) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 100; i++) list.add(i);
        java.util.Collections.shuffle(list, new Random(seed));
        for (int value : list) line("shuffle", value);
    }

    /** The polar method's values, with Java's logarithm, of its own draws. */
    static void logs() {
        Random r = new Random(42);
        for (int i = 0; i < 20000; i++) {
            double v = r.nextDouble();
            if (v == 0) continue;
            line("strictlog", Double.doubleToRawLongBits(StrictMath.log(v)));
            line("log", Double.doubleToRawLongBits(Math.log(v)));
        }
        Random g = new Random(7);
        for (int i = 0; i < 2000; i++) line("gaussian", Double.doubleToRawLongBits(g.nextGaussian()));
    }

    static void hashes() {
        String[] names = {"", "a", "minecraft:terrain", "octave_-10", "\u00fcber \u20ac", "\ud83d\ude00 x"};
        for (String name : names) line("hash", name.hashCode());
    }
}
