package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Skerry as one of the compared libraries.
 *
 * @param room the memory into which datasets are read; if empty, each read creates a new array
 */
record Skerry(Optional<MemorySegment> room) implements Library {
  @Override
  public String name() {
    return room.isPresent() ? "skerry (native)" : "skerry (array)";
  }

  @Override
  public MemorySegment read(Path path) {
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset(DATASET);
      if (room.isEmpty()) {
        return MemorySegment.ofArray(dataset.readFloats(Selection.all()));
      }
      dataset.read(Selection.all(), Datatype.F32, room.get());
      return room.get();
    }
  }

  @Override
  public void write(Path path, Layout layout, Source values) {
    Shape shape = Shape.of(values.rowCount(), values.columnCount());
    DatasetSpec spec = DatasetSpec.of(Datatype.F32, shape);
    DatasetSpec chunked = spec.chunked(Layout.CHUNK_ROWS, Layout.CHUNK_COLUMNS);
    DatasetSpec chosen =
        switch (layout) {
          case CONTIGUOUS -> spec.contiguous();
          case CHUNKED -> chunked;
          case DEFLATE -> chunked.filters(Filters.shuffle(), Filters.deflate(Layout.LEVEL));
        };
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset(DATASET, chosen);
      if (room.isEmpty()) {
        dataset.write(Selection.all(), values.flat());
      } else {
        dataset.write(Selection.all(), Datatype.F32, values.memory());
      }
    }
  }

  @Override
  public long list(Path path, String group) {
    try (H5File file = H5File.open(path)) {
      return file.group(group).links().stream().mapToLong(l -> Library.token(l.name())).sum();
    }
  }

  @Override
  public long walk(Path path, String group) {
    try (H5File file = H5File.open(path)) {
      Group members = file.group(group);
      long sum = 0;
      for (Group.Link link : members.links()) {
        if (link instanceof Group.Hard hard && members.child(hard) instanceof Dataset dataset) {
          sum += dataset.shape().extent(0);
        }
      }
      return sum;
    }
  }
}
