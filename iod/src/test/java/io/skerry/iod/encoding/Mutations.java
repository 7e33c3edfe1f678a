package io.skerry.iod.encoding;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Decodes damaged encodings: each must give a result, or an exception that names the damage. */
public final class Mutations {
  /** The number of damaged encodings of each kind. */
  private static final int NUMBER = 20_000;

  /** The number of bytes that decoding may allocate. */
  private static final long MOST_BYTES = 8 << 20;

  private static final long[] FIELD_VALUES = {
    0,
    1,
    2,
    3,
    7,
    8,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffffL,
    0x8000_0000L,
    0xffff_ffffL,
    0x1_0000_0000L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2
  };

  private final Random random;
  private final List<byte[]> samples;

  private Mutations(Random random, List<byte[]> samples) {
    this.random = random;
    this.samples = samples;
  }

  /**
   * Decodes damaged samples.
   *
   * @param seed the seed of the damages
   * @param samples encodings without damage
   * @param decoder the decoder
   */
  public static void check(long seed, List<byte[]> samples, Consumer<MemorySegment> decoder) {
    Mutations mutations = new Mutations(new Random(seed), samples);
    int results = 0;
    long most = 0;
    for (int i = 0; i < NUMBER; i++) {
      byte[] damaged = mutations.next();
      long before = AllocatedBytes.ofThisThread();
      try {
        decoder.accept(MemorySegment.ofArray(damaged));
        results++;
      } catch (FormatException | UnsupportedFeatureException expected) {
        assertTrue(
            expected.getMessage().length() > 10 && expected.getMessage().length() < 2000,
            expected.getMessage());
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "seed=" + seed + " number=" + i + " bytes=" + HexFormat.of().formatHex(damaged), e);
      }
      most = Math.max(most, AllocatedBytes.ofThisThread() - before);
      assertTrue(most <= MOST_BYTES, "allocated=" + most + " seed=" + seed + " number=" + i);
    }
    System.out.println(
        NUMBER + " damaged encodings, " + results + " decoded, at most " + most + " bytes each");
    assertTrue(results > 0 && results < NUMBER, "results=" + results);
  }

  private byte[] next() {
    byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
    int damages = 1 + random.nextInt(3);
    for (int i = 0; i < damages && bytes.length > 0; i++) {
      bytes = damaged(bytes, random.nextInt(bytes.length));
    }
    return bytes;
  }

  private byte[] damaged(byte[] bytes, int at) {
    switch (random.nextInt(8)) {
      case 0 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 1 -> {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
        longer[at] = (byte) random.nextInt();
        return longer;
      }
      case 2 -> {
        byte[] shorter = Arrays.copyOf(bytes, bytes.length - 1);
        System.arraycopy(bytes, at + 1, shorter, at, bytes.length - at - 1);
        return shorter;
      }
      case 3, 4 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 5 -> bytes[at] = (byte) FIELD_VALUES[random.nextInt(FIELD_VALUES.length)];
      case 6 -> {
        if (at + 4 <= bytes.length) {
          MemorySegment.ofArray(bytes)
              .set(
                  ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                  at,
                  (int) FIELD_VALUES[random.nextInt(FIELD_VALUES.length)]);
        }
      }
      default -> {
        if (at + 8 <= bytes.length) {
          MemorySegment.ofArray(bytes)
              .set(
                  ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                  at,
                  FIELD_VALUES[random.nextInt(FIELD_VALUES.length)]);
        }
      }
    }
    return bytes;
  }
}
