package io.skerry.benchmarks;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Prints the sizes of files with sparse frames and, for comparison, of a file with complete frames
 * in a dense dataset, in file bytes per defined u16 value. Each chunk contains one frame; its
 * values and, in a sparse chunk, its locations are filtered with shuffle and deflate at level 6.
 * Also prints the sizes of single chunks beside published ones; see {@link RandomElementSizes}.
 *
 * <pre>
 * ./skerry bench sizes [FRAMES]
 * </pre>
 */
public final class SparseSizes {
  private static final double[] DENSITIES = {
    0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1
  };

  private final Path folder;
  private final int frames;

  /**
   * Prepares the measurement.
   *
   * @param folder the folder for the files, which are deleted
   * @param frames the number of frames in each file
   */
  public SparseSizes(Path folder, int frames) {
    this.folder = folder;
    this.frames = frames;
  }

  /**
   * The size of a file.
   *
   * @param defined the number of defined values
   * @param fileBytes the size of the file in bytes
   */
  public record Size(long defined, long fileBytes) {
    /** Returns the number of bytes per defined value. */
    public double each() {
      return (double) fileBytes / defined;
    }
  }

  /** Prints the table and the curve. */
  public static void main(String[] args) throws IOException {
    int frames = args.length > 0 ? Integer.parseInt(args[0]) : 64;
    Path folder = Files.createTempDirectory("skerry-sizes");
    try {
      SparseSizes sizes = new SparseSizes(folder, frames);
      double dense = sizes.dense().each();
      print("every pixel, in a dense dataset: %.4f bytes per value", dense);
      for (KeptPixels kept : KeptPixels.values()) {
        print("%-14s %.4f bytes per value", kept, sizes.sparse(kept::draw).each());
      }
      print("density, bytes per value: random pixels; rectangle; file beside the dense one");
      for (double density : DENSITIES) {
        Size scattered = sizes.sparse(random -> KeptPixels.scattered(random, density));
        Size block = sizes.sparse(random -> block(density));
        double ratio = scattered.fileBytes() / (dense * frames * KeptPixels.SIDE * KeptPixels.SIDE);
        print("%.3f  %.4f  %.4f  %.4f", density, scattered.each(), block.each(), ratio);
      }
      print("bytes of a chunk with random u8: dense; sparse; with szip; published dense, sparse");
      for (RandomElementSizes.Published published : RandomElementSizes.Published.values()) {
        var one = new RandomElementSizes(folder).measure(published.density());
        print(
            "%.2f  %d  %d  %d  %d  %d",
            published.density(),
            one.dense(),
            one.deflated(),
            one.coded(),
            published.dense(),
            published.structured());
      }
    } finally {
      Files.delete(folder);
    }
  }

  private static RunSet block(double density) {
    int side = (int) Math.round(KeptPixels.SIDE * Math.sqrt(density));
    RunSet.Builder runs = new RunSet.Builder();
    for (long row = 0; row < side; row++) {
      runs.add(row * KeptPixels.SIDE, row * KeptPixels.SIDE + side);
    }
    return runs.build();
  }

  /**
   * Returns the size of a file with a sparse dataset that contains the kept pixels of each frame.
   */
  public Size sparse(Function<RandomGenerator, RunSet> kept) throws IOException {
    return size(spec().sparse(1, KeptPixels.SIDE, KeptPixels.SIDE), kept);
  }

  /** Returns the size of a file with complete frames in a dense dataset. */
  public Size dense() throws IOException {
    return size(spec().chunked(1, KeptPixels.SIDE, KeptPixels.SIDE), KeptPixels.EVERYTHING::draw);
  }

  private DatasetSpec spec() {
    return DatasetSpec.of(
            Datatype.U16, Shape.of(frames, KeptPixels.SIDE, KeptPixels.SIDE).unlimited(0))
        .filters(Filters.shuffle(), Filters.deflate(6));
  }

  private Size size(DatasetSpec spec, Function<RandomGenerator, RunSet> kept) throws IOException {
    Path path = folder.resolve("frames.h5");
    long defined = 0;
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset("/frames", spec);
      for (int frame = 0; frame < frames; frame++) {
        RandomGenerator random = KeptPixels.random(frame);
        RunSet pixels = kept.apply(random);
        Selection selection =
            SelectionSets.of(pixels, 1, KeptPixels.SIDE, KeptPixels.SIDE)
                .resolve(Shape.of(1, KeptPixels.SIDE, KeptPixels.SIDE))
                .shift(frame, 0, 0);
        dataset.write(selection, KeptPixels.values(random, pixels.count()));
        defined += pixels.count();
      }
    }
    long bytes = Files.size(path);
    Files.delete(path);
    return new Size(defined, bytes);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
