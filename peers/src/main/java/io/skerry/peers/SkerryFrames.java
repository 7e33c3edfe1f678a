package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores frames with Skerry in a sparse dataset with one chunk per frame and the shuffle and
 * deflate filters.
 */
final class SkerryFrames implements FrameStore {
  private static final String DATASET = "frames";
  private static final int LEVEL = 6;

  private final Path path;
  private final Shape shape;
  private final List<Part> byFrame = new ArrayList<>();
  private final Part whole;

  SkerryFrames(Frames frames, Path folder) {
    path = folder.resolve("skerry.h5");
    shape = frames.shape();
    whole = new Part(frames.selection(), frames.values());
    for (int frame = 0; frame < frames.count(); frame++) {
      byFrame.add(new Part(frames.selection(frame), frames.values(frame)));
    }
  }

  /** The pixels and values of one call. */
  private record Part(Selection pixels, short[] values) {
    long checksum(Shape shape) {
      long[] at = pixels.toCoordinates(shape);
      long sum = 0;
      for (int i = 0; i < values.length; i++) {
        sum += Frames.token(at[3 * i], at[3 * i + 1], at[3 * i + 2], values[i]);
      }
      return sum;
    }
  }

  @Override
  public String name() {
    return "skerry";
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Race.Check write(Pace pace) {
    DatasetSpec spec =
        DatasetSpec.of(Datatype.U16, shape)
            .filters(Filters.shuffle(), Filters.deflate(LEVEL))
            .sparse(1, Frames.SIDE, Frames.SIDE);
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset(DATASET, spec);
      for (Part part : pace == Pace.FRAMES ? byFrame : List.of(whole)) {
        dataset.write(part.pixels(), part.values());
      }
    }
    return () -> read(Pace.WHOLE).result();
  }

  @Override
  public Race.Check read(Pace pace) {
    List<Part> parts = new ArrayList<>();
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset(DATASET);
      switch (pace) {
        case WHOLE -> parts.add(found(dataset, Selection.all()));
        case FRAMES -> {
          for (long frame = 0; frame < shape.extent(0); frame++) {
            Selection all = Selection.at(frame, 0, 0).extent(1, Frames.SIDE, Frames.SIDE);
            parts.add(found(dataset, all));
          }
        }
      }
    }
    return () -> parts.stream().mapToLong(part -> part.checksum(shape)).sum();
  }

  private static Part found(Dataset dataset, Selection among) {
    Selection pixels = dataset.defined(among);
    return new Part(pixels, dataset.readShorts(pixels));
  }

  @Override
  public void close() {
    // Nothing is open between two calls.
  }
}
