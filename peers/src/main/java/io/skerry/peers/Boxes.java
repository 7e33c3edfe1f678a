package io.skerry.peers;

import java.util.SplittableRandom;

/**
 * Small boxes at random positions in a dataset; the positions are the same in every run. A box with
 * several columns may intersect two chunks, and a box with several rows and columns may intersect
 * up to four.
 *
 * @param name the name of the boxes, which is part of the task's name
 * @param rows the number of rows in each box
 * @param columns the number of columns in each box
 */
record Boxes(String name, int rows, int columns) {
  /** The number of positions in a pass; every pass has the same positions. */
  static final int PASS = 4096;

  static final Boxes ONE = new Boxes("one", 1, 1);
  static final Boxes ROW = new Boxes("row", 1, 32);
  static final Boxes SQUARE = new Boxes("square", 8, 8);

  /** Returns the first row and first column of each box in a pass. */
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
