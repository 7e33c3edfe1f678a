package io.skerry.internal.file;

import io.skerry.DatasetWrite;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.internal.dataset.DatasetWriter;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.parallel.Operation;
import io.skerry.spi.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Writes to several datasets of an HDF5 file. All chunked datasets whose elements contain no
 * references and own no content in the global heap are written in one operation; the other datasets
 * are then written one after another. Collective.
 */
final class JointWrite {
  /** The maximum number of datasets that a message names; the others are only counted. */
  private static final int NAMED = 4;

  private final NativeFile file;
  private final List<StoredFile.Write> writes;
  private final List<Supplier<WriteRequest>> joined = new ArrayList<>();
  private final List<StoredFile.Write> others = new ArrayList<>();

  JointWrite(NativeFile file, List<StoredFile.Write> writes) {
    this.file = file;
    this.writes = writes;
  }

  void write() {
    file.collective().joint(subject(), this::agreeOnDatasets, this::writeNow);
  }

  /**
   * Checks that all ranks will perform the same steps. The steps depend on the datasets and, for
   * datasets that are written one by one, also on the form of the values.
   */
  private void agreeOnDatasets() {
    String paths =
        writes.stream()
            .map(write -> write.dataset().path() + (request(write).isPresent() ? "" : form(write)))
            .collect(Collectors.joining(" "));
    boolean unused =
        file.collective().steps().together(Operation.WRITE, "", "datasets=" + paths, () -> true);
  }

  private static String form(StoredFile.Write write) {
    return switch (write.content()) {
      case DatasetWrite.Elements _ -> " (elements in memory)";
      case DatasetWrite.Values _ -> " (a list of values)";
    };
  }

  private void writeNow() {
    for (StoredFile.Write write : writes) {
      Optional<Supplier<WriteRequest>> request = request(write);
      request.ifPresent(joined::add);
      if (request.isEmpty()) {
        others.add(write);
      }
    }
    if (!joined.isEmpty()) {
      file.collective()
          .chunks()
          .writeAll(Operation.WRITE, subject(), () -> joined.stream().map(Supplier::get).toList());
    }
    others.forEach(StoredFile.Write::apply);
  }

  private Optional<Supplier<WriteRequest>> request(StoredFile.Write write) {
    return write.dataset() instanceof NativeDataset dataset
        ? new DatasetWriter(file, dataset).request(write.selection(), write.content())
        : Optional.empty();
  }

  private String subject() {
    String first =
        writes.stream()
            .limit(NAMED)
            .map(write -> write.dataset().path())
            .collect(Collectors.joining(" "));
    return writes.size() <= NAMED ? first : first + " and " + (writes.size() - NAMED) + " more";
  }
}
