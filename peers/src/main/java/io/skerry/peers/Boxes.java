package io.skerry.peers;

import java.util.SplittableRandom;

/**
 * Small boxes at random places of a dataset; the same in every run, and made from their number
 * alone, so that whoever reads them needs no list. Some touch two or four chunks, as chance has it.
 *
 * @param name part of the task's
 * @param rows of each box
 * @param columns of each box
 */
record Boxes(String name, int rows, int columns) {
  /** Places of one pass; then they come again. */
  static final int PASS = 4096;

  static final Boxes ONE = new Boxes("one", 1, 1);
  static final Boxes ROW = new Boxes("row", 1, 32);
  static final Boxes SQUARE = new Boxes("square", 8, 8);

  /** Of one pass: first row and first column of each box. */
  int[][] places() {
    SplittableRandom random = new SplittableRandom(0x5eed);
    int[][] places = new int[PASS][];
    for (int i = 0; i < PASS; i++) {
      places[i] =
          new int[] {
            random.nextInt(SmallReads.SIDE - rows + 1),
            random.nextInt(SmallReads.SIDE - columns + 1)
          };
    }
    return places;
  }

  int elements() {
    return rows * columns;
  }
}
