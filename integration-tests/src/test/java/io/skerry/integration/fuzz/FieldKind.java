package io.skerry.integration.fuzz;

import java.util.SplittableRandom;

/** The meaning of a field, which determines the numbers to store in it. */
enum FieldKind {
  VERSION('v'),
  FLAGS('f'),
  COUNT('c'),
  LENGTH('l'),
  DIMENSION('d'),
  ADDRESS('a'),
  TYPE('t'),
  TEXT('x'),
  UNKNOWN('u');

  private static final long[] NUMBERS = {
    0,
    1,
    2,
    3,
    10,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x10000,
    1 << 20,
    1 << 24,
    1 << 26,
    1 << 28,
    Integer.MAX_VALUE,
    1L << 31,
    0xffffffffL,
    1L << 32,
    1L << 33,
    1L << 40,
    1L << 48,
    1L << 61,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -8
  };

  /** Characters with a meaning in the names of files, objects and sources. */
  private static final byte[] CHARACTERS = {
    0, '%', 'b', '.', '/', ' ', '\n', '0', 'a', (byte) 0xff
  };

  private final char letter;

  FieldKind(char letter) {
    this.letter = letter;
  }

  static FieldKind of(char letter) {
    for (FieldKind kind : values()) {
      if (kind.letter == letter) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no such kind of field: letter=" + letter);
  }

  /**
   * Draws a number to store.
   *
   * @param old the current number
   * @param own the address of the structure that contains the field
   * @param map provides addresses of other structures and the length of the file
   */
  long draw(SplittableRandom random, long old, long own, FieldMap map) {
    return switch (this) {
      case VERSION, TYPE -> random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(12);
      case TEXT -> CHARACTERS[random.nextInt(CHARACTERS.length)];
      case FLAGS -> old ^ 1L << random.nextInt(8);
      case COUNT, LENGTH, DIMENSION -> number(random, old, map);
      case ADDRESS -> address(random, old, own, map);
      case UNKNOWN ->
          switch (random.nextInt(4)) {
            case 0 -> old ^ 1L << random.nextInt(8);
            case 1 -> random.nextInt(256);
            case 2 -> number(random, old, map);
            default -> address(random, old, own, map);
          };
    };
  }

  private static long number(SplittableRandom random, long old, FieldMap map) {
    return switch (random.nextInt(8)) {
      case 0 -> old + 1;
      case 1 -> old - 1;
      case 2 -> old * 2;
      case 3 -> old / 2;
      case 4 -> map.length() + random.nextInt(-8, 9);
      default -> NUMBERS[random.nextInt(NUMBERS.length)];
    };
  }

  private static long address(SplittableRandom random, long old, long own, FieldMap map) {
    return switch (random.nextInt(8)) {
      case 0 -> own;
      case 1 -> old + random.nextInt(-8, 9);
      case 2 -> map.length() - random.nextInt(64);
      case 3 -> NUMBERS[random.nextInt(NUMBERS.length)];
      default -> map.anyAddress(random);
    };
  }
}
