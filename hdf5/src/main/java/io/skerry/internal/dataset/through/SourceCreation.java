package io.skerry.internal.dataset.through;

import io.skerry.internal.dataset.HdfFile;
import io.skerry.parallel.FileAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Creates missing sources of a virtual dataset, in new and in existing files. Collective, within
 * the gate of the file with the virtual dataset.
 *
 * @param file the file with the virtual dataset
 */
record SourceCreation(HdfFile file) {
  /**
   * Creates sources. After a failure, the sources already created in the file with the virtual
   * dataset remain, as do those in other files that were already complete.
   *
   * @param missing the sources, in the same order on all ranks; if there are several entries for a
   *     source, the first is used
   */
  void create(List<MissingSource> missing) {
    SortedMap<String, SortedMap<String, MissingSource>> files = new TreeMap<>();
    for (MissingSource source : missing) {
      files
          .computeIfAbsent(SourceWriter.real(source.file().path()), _ -> new TreeMap<>())
          .putIfAbsent(source.path(), source);
    }
    String own = SourceWriter.real(file.path());
    files.forEach((name, sources) -> {
      if (name.equals(own)) {
        create(file, sources);
      } else {
        createElsewhere(sources);
      }
    });
  }

  private void createElsewhere(SortedMap<String, MissingSource> sources) {
    MissingSource first = sources.sequencedValues().getFirst();
    HdfFile other = file.sources().openForWriting(first.file(), first.access());
    boolean done = false;
    try {
      create(other, sources);
      done = true;
    } finally {
      if (done) {
        other.close();
      } else {
        other.discard();
        remove(first);
      }
    }
  }

  /** Removes the file of a source, which contains no data yet, if this change has created it. */
  private void remove(MissingSource source) {
    if (source.access() == FileAccess.CREATE_NEW && file.collective().ranks().rank() == 0) {
      try {
        Files.deleteIfExists(source.file().path());
      } catch (IOException e) {
        // The exception that is already propagating is reported instead.
      }
    }
  }

  private static void create(HdfFile in, SortedMap<String, MissingSource> sources) {
    sources.forEach((path, source) -> {
      var unused = in.createDataset(path, source.spec());
    });
  }
}
