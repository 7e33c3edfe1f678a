package io.skerry.peers;

import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.Dataset;
import io.jhdf.api.DatasetCreationOptions;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * jHDF, a pure Java library. It reads into and writes from arrays only, and decodes filtered chunks
 * on threads of the common pool.
 */
record Jhdf() implements Library {
  @Override
  public String name() {
    return "jhdf";
  }

  @Override
  public MemorySegment read(Path path) {
    try (HdfFile file = new HdfFile(path)) {
      return MemorySegment.ofArray((float[]) file.getDatasetByPath(DATASET).getDataFlat());
    }
  }

  @Override
  public void write(Path path, Layout layout, Source values) {
    DatasetCreationOptions.Builder options = DatasetCreationOptions.builder();
    if (layout.isChunked()) {
      options.chunkDimensions(Layout.CHUNK_ROWS, Layout.CHUNK_COLUMNS);
    }
    if (layout == Layout.DEFLATE) {
      options.shuffle().deflate(Layout.LEVEL);
    }
    try (WritableHdfFile file = HdfFile.write(path)) {
      file.putDataset(DATASET, values.rows(), options.build());
    }
  }

  @Override
  public long list(Path path, String group) {
    try (HdfFile file = new HdfFile(path)) {
      Group members = (Group) file.getByPath(group);
      return members.getChildren().keySet().stream().mapToLong(Library::token).sum();
    }
  }

  @Override
  public long walk(Path path, String group) {
    try (HdfFile file = new HdfFile(path)) {
      long sum = 0;
      for (Node node : ((Group) file.getByPath(group)).getChildren().values()) {
        if (node instanceof Dataset dataset) {
          sum += dataset.getDimensions()[0];
        }
      }
      return sum;
    }
  }
}
