package io.skerry.integration.random;

import io.skerry.datatype.CharacterSet;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Makes random choices that a seed determines. */
public final class RandomChoice {
  private static final List<String> PLAIN =
      List.of("a", "b", "c", "x", "Z", "0", "9", "_", "-", " ", "+", ".", "(", "ab", "qu");
  private static final List<String> FOREIGN = List.of("é", "ü", "日", "本", "Ω", "ж", "😀", "ñ");

  private final Random random;
  private int number;

  /** Creates a source of random choices with the given seed. */
  public RandomChoice(long seed) {
    this.random = new Random(seed);
  }

  /** Returns the source of random numbers. */
  public Random random() {
    return random;
  }

  /** Returns true with the given probability. */
  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** Returns a number from 0 to the limit, exclusive. */
  public int below(int limit) {
    return random.nextInt(limit);
  }

  /** Returns a number from least to most, inclusive. */
  public int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /** Returns one of the elements. */
  public <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /**
   * Returns a name that was not returned before. It may be short or long, and may contain non-ASCII
   * characters.
   */
  public String name(String prefix) {
    StringBuilder name = new StringBuilder(prefix).append(number++);
    int more = chance(0.6) ? 0 : chance(0.9) ? between(1, 12) : between(200, 300);
    boolean foreign = chance(0.3);
    name.append(more > 0 ? "_" : "");
    for (int i = 0; i < more; i++) {
      name.append(pick(foreign && chance(0.5) ? FOREIGN : PLAIN));
    }
    return name.toString();
  }

  /** Returns text of at most the given number of bytes in UTF-8, without trailing blanks. */
  public String text(int mostBytes, CharacterSet set) {
    StringBuilder text = new StringBuilder();
    int parts = chance(0.1) ? 0 : below(mostBytes + 1);
    int bytes = 0;
    for (int i = 0; i < parts; i++) {
      String next = pick(set == CharacterSet.UTF8 && chance(0.3) ? FOREIGN : PLAIN);
      bytes += next.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > mostBytes) {
        break;
      }
      text.append(next);
    }
    return text.toString().stripTrailing();
  }
}
