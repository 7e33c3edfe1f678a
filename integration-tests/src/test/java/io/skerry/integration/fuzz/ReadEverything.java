package io.skerry.integration.fuzz;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Reads all objects of a file. A refused object does not end the walk: its siblings are read too,
 * and the first refusal is thrown at the end.
 */
final class ReadEverything {
  /** Limit of the bytes read from one dataset; only a corner of a larger dataset is read. */
  private static final long MOST = 1 << 20;

  /**
   * Limit of the bytes of a corner: in many dimensions its elements are scattered, and each is a
   * separate read.
   */
  private static final long CORNER = 1 << 12;

  private final H5File file;
  private final Set<Long> seen = new HashSet<>();
  private Optional<RuntimeException> refusal = Optional.empty();

  private ReadEverything(H5File file) {
    this.file = file;
  }

  static void of(Path path) {
    try (H5File file = H5File.open(path)) {
      ReadEverything walk = new ReadEverything(file);
      walk.attempt(() -> walk.visit(file.object("/")));
      if (walk.refusal.isPresent()) {
        throw walk.refusal.get();
      }
    }
  }

  private void attempt(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      if (!isRefusal(e)) {
        throw e;
      }
      refusal = refusal.or(() -> Optional.of(e));
    }
  }

  private static boolean isRefusal(Throwable failure) {
    return failure instanceof FormatException
        || failure instanceof UnsupportedFeatureException
        || failure instanceof MemoryLimitException
        || failure instanceof UntrustedFileException
        || (failure.getCause() != null && isRefusal(failure.getCause()));
  }

  private void visit(H5Object object) {
    attempt(() -> object.attributes().forEach(this::read));
    switch (object) {
      case Group group ->
          attempt(() -> {
            for (Group.Link link : group.links()) {
              if (link instanceof Group.Hard hard && seen.add(hard.address())) {
                attempt(() -> visit(group.child(hard)));
              }
            }
          });
      case Dataset dataset -> attempt(() -> read(dataset));
      default -> {}
    }
  }

  private void read(Attribute attribute) {
    attempt(attribute::toString);
  }

  private static void read(Dataset dataset) {
    long[] extent = dataset.shape().extent();
    double bytes = dataset.datatype().size();
    long[] corner = new long[extent.length];
    boolean empty = false;
    for (int i = 0; i < extent.length; i++) {
      bytes *= extent[i];
      corner[i] = Math.min(extent[i], 2);
      empty |= extent[i] == 0;
    }
    if (bytes <= MOST) {
      dataset.readBytes(Selection.all());
    } else if (!empty && dataset.datatype().size() <= CORNER >> extent.length) {
      dataset.readBytes(Selection.at(new long[extent.length]).extent(corner));
    }
  }
}
