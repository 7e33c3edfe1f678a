package io.skerry.jobs.lcls;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The content of an output, independent of its storage in the file. */
final class Content {
  private Content() {}

  /**
   * Returns for each dataset the extent, the defined coordinates and their bytes. The results are
   * equal for equal content.
   */
  static Map<String, List<Object>> of(Path path) {
    Map<String, List<Object>> content = new LinkedHashMap<>();
    try (H5File file = H5File.open(path)) {
      for (String name :
          List.of(
              FrameStore.EVENTS, FrameStore.SPOT_COUNTS, FrameStore.FULL, FrameStore.FULL_INDEX)) {
        try {
          content.put(name, of(file.dataset(name)));
        } catch (CollectiveException | NoSuchObjectException e) {
          content.put(name, List.of("absent"));
        }
      }
    }
    return content;
  }

  private static List<Object> of(Dataset dataset) {
    Selection defined = dataset.defined(Selection.all());
    return List.of(
        dataset.shape().toString(),
        dataset.datatype(),
        java.nio.LongBuffer.wrap(
            dataset.isSparse() ? defined.toCoordinates(dataset.shape()) : new long[0]),
        java.nio.ByteBuffer.wrap(dataset.readBytes(defined)),
        dataset.attributes());
  }
}
