package io.skerry.integration.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Damages a file in ways that a seed determines. It flips bits, writes random bytes, extreme
 * numbers or numbers near the file size, copies or overwrites ranges, or truncates the file. On
 * average, at least half of the damaged positions are in a block with a checksum, if there is one;
 * the checksum is corrected in most cases.
 */
public final class Mutator {
  private static final long[] EXTREMES = {
    0,
    1,
    2,
    7,
    8,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fffffffL,
    0x80000000L,
    0xffffffffL,
    0x100000000L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -8,
    1L << 62
  };

  private final byte[] sound;
  private final ChecksummedBlocks blocks;

  /** Creates a mutator of an intact file. */
  public Mutator(byte[] sound) {
    this.sound = sound.clone();
    this.blocks = ChecksummedBlocks.of(sound);
  }

  /** Returns the damaged file that a seed determines; it always differs from the intact file. */
  public byte[] mutate(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] file = sound.clone();
    if (random.nextInt(40) == 0) {
      return Arrays.copyOf(file, random.nextInt(file.length));
    }
    do {
      for (int n = random.nextInt(4) == 0 ? 1 + random.nextInt(6) : 1; n > 0; n--) {
        List<Integer> touched = damage(file, random);
        if (random.nextInt(8) != 0) {
          touched.forEach(at -> blocks.mend(file, at));
        }
      }
    } while (Arrays.equals(file, sound));
    return file;
  }

  private List<Integer> damage(byte[] file, SplittableRandom random) {
    int at = place(file, random);
    List<Integer> touched = new ArrayList<>(List.of(at));
    switch (random.nextInt(8)) {
      case 0, 1 -> file[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> file[at] = (byte) random.nextInt(256);
      case 3, 4 -> put(file, at, EXTREMES[random.nextInt(EXTREMES.length)], width(random));
      case 5 -> put(file, at, file.length + random.nextInt(-16, 17), width(random));
      case 6 -> {
        int from = place(file, random);
        int length = Math.min(1 << random.nextInt(9), file.length - Math.max(from, at));
        System.arraycopy(file, from, file, at, length);
        touched.add(at + length - 1);
      }
      default -> {
        int length = Math.min(1 + random.nextInt(32), file.length - at);
        Arrays.fill(file, at, at + length, (byte) (random.nextBoolean() ? 0 : 0xff));
        touched.add(at + length - 1);
      }
    }
    return touched;
  }

  /**
   * Returns a random position, usually in metadata: in a block with a checksum or in the first 4
   * KiB.
   */
  private int place(byte[] file, SplittableRandom random) {
    List<ChecksummedBlocks.Range> ranges = blocks.ranges();
    if (!ranges.isEmpty() && random.nextBoolean()) {
      ChecksummedBlocks.Range range = ranges.get(random.nextInt(ranges.size()));
      return random.nextInt(range.from(), range.to());
    }
    return random.nextInt(random.nextInt(3) == 0 ? file.length : Math.min(file.length, 4096));
  }

  private static int width(SplittableRandom random) {
    return 1 << random.nextInt(4);
  }

  private static void put(byte[] file, int at, long value, int width) {
    for (int i = 0; i < width && at + i < file.length; i++) {
      file[at + i] = (byte) (value >> 8 * i);
    }
  }
}
