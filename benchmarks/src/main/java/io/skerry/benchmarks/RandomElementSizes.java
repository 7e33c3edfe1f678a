package io.skerry.benchmarks;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.filter.Filters.SzipCoding;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Measures the stored size of one chunk of 1024 × 1024 u8 elements, of which a random fraction has
 * random values from 1 to 255. The HDF Group published the sizes of such chunks with its prototype
 * of structured chunks: {@link Published}.
 */
public final class RandomElementSizes {
  private final Path folder;

  /**
   * Prepares the measurement.
   *
   * @param folder the folder for the files, which are deleted
   */
  public RandomElementSizes(Path folder) {
    this.folder = folder;
  }

  /** Published sizes of a chunk with deflate, in bytes. */
  public enum Published {
    /** 1% of the elements are defined. */
    ONE_PERCENT(0.01, 33_287, 35_377),
    /** 10% of the elements are defined. */
    TEN_PERCENT(0.1, 209_636, 288_753);

    private final double density;
    private final long dense;
    private final long structured;

    Published(double density, long dense, long structured) {
      this.density = density;
      this.dense = dense;
      this.structured = structured;
    }

    /** Returns the fraction of defined elements. */
    public double density() {
      return density;
    }

    /** Returns the size of a dense chunk in which all other elements are 0. */
    public long dense() {
      return dense;
    }

    /** Returns the size of a structured chunk. */
    public long structured() {
      return structured;
    }
  }

  /**
   * Stored sizes of one chunk in bytes. All values are filtered with shuffle and deflate at level
   * 6.
   *
   * @param dense the size of a dense chunk in which all other elements are 0
   * @param deflated the size of a sparse chunk whose locations have the same filters as the values
   * @param coded the size of a sparse chunk whose locations are filtered with shuffle and szip
   */
  public record Sizes(long dense, long deflated, long coded) {}

  /** Writes the chunks and returns their sizes. */
  public Sizes measure(double density) throws IOException {
    RandomGenerator random = KeptPixels.random(0);
    RunSet elements = KeptPixels.scattered(random, density);
    byte[] values = new byte[Math.toIntExact(elements.count())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) random.nextInt(1, 256);
    }
    DatasetSpec plain =
        DatasetSpec.of(Datatype.U8, Shape.of(KeptPixels.SIDE, KeptPixels.SIDE))
            .filters(Filters.shuffle(), Filters.deflate(6));
    DatasetSpec sparse = plain.sparse(KeptPixels.SIDE, KeptPixels.SIDE);
    DatasetSpec coded =
        sparse.sectionFilters(0, Filters.shuffle(), Filters.szip(SzipCoding.NEAREST_NEIGHBOR, 16));
    return new Sizes(
        stored(plain.chunked(KeptPixels.SIDE, KeptPixels.SIDE), elements, values),
        stored(sparse, elements, values),
        stored(coded, elements, values));
  }

  private long stored(DatasetSpec spec, RunSet elements, byte[] values) throws IOException {
    Path path = folder.resolve("chunk.h5");
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset("/chunk", spec);
      Selection selection = SelectionSets.of(elements, KeptPixels.SIDE, KeptPixels.SIDE);
      dataset.write(selection, values);
      file.flush();
      return dataset.usage().dataBytes();
    } finally {
      Files.delete(path);
    }
  }
}
