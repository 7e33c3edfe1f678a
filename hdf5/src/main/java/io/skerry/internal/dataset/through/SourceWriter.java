package io.skerry.internal.dataset.through;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.parallel.FileAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Applies a change to elements of a virtual dataset to the sources. The ranks first agree on the
 * sources and check that each rank can apply its part. They then change one source after another,
 * in the order of the paths. All ranks open each file, except the file with the virtual dataset,
 * for writing and close it again, which stores the changes. Collective, within the gate of the file
 * with the virtual dataset.
 */
public final class SourceWriter {
  private final HdfFile file;
  private final String path;
  private final SourceChange change;

  /**
   * Creates a writer for one change.
   *
   * @param file the file with the virtual dataset
   * @param path the path of the virtual dataset
   */
  public SourceWriter(HdfFile file, String path, SourceChange change) {
    this.file = file;
    this.path = path;
    this.change = change;
  }

  /**
   * A source file.
   *
   * @param found the path with which the file is opened
   * @param datasets the part of this rank in each dataset; empty if only other ranks change the
   *     dataset
   */
  private record Target(Found found, SortedMap<String, Optional<SourcePart>> datasets) {
    Target(Found found) {
      this(found, new TreeMap<>());
    }
  }

  /**
   * Applies the change.
   *
   * @param planning a supplier of the elements that this rank changes; for an element in several
   *     parts, the first part applies. If planning fails on one rank, the change fails on all
   *     ranks, and no element is changed. Called again if missing sources were created
   */
  public void apply(Supplier<SourcePlan> planning) {
    Agreed agreed = agreed(planning);
    if (!agreed.missing.isEmpty()) {
      try {
        new SourceCreation(file).create(agreed.missing);
      } finally {
        // Sources that are open for reading still show the state before the change.
        file.sources().close();
      }
      agreed = agreed(planning);
    }
    try {
      apply(agreed);
    } finally {
      file.sources().close();
    }
  }

  /** The datasets that any rank changes, by file, and the sources that are missing on any rank. */
  private record Agreed(SortedMap<String, Target> targets, List<MissingSource> missing) {}

  private Agreed agreed(Supplier<SourcePlan> planning) {
    if (file.collective().needsOtherRanks() && file.collective().access() != FileAccess.READ) {
      // Each rank reads sources in this file independently, as they exist on disk.
      file.collective().flush();
    }
    SortedMap<String, Target> mine = new TreeMap<>();
    return file.collective()
        .steps()
        .together(
            change.operation(),
            path,
            () -> {
              SourcePlan plan = planning.get();
              mine.putAll(byFile(plan.parts()));
              return encoded(mine, plan.missing());
            },
            messages -> joined(mine, messages));
  }

  private void apply(Agreed agreed) {
    String own = real(file.path());
    agreed.missing.stream()
        .findFirst()
        .ifPresent(source -> {
          throw new IllegalStateException(
              "a created source of a virtual dataset is missing: source="
                  + source.file().path()
                  + ":"
                  + source.path()
                  + " dataset="
                  + path);
        });
    agreed.targets.forEach((name, target) -> {
      if (name.equals(own)) {
        apply(file, target);
      } else {
        applyElsewhere(target);
      }
    });
  }

  private void applyElsewhere(Target target) {
    HdfFile other = file.sources().openForWriting(target.found, FileAccess.WRITE);
    boolean done = false;
    try {
      apply(other, target);
      done = true;
    } finally {
      if (done) {
        other.close();
      } else {
        other.discard();
      }
    }
  }

  private void apply(HdfFile other, Target target) {
    target.datasets.forEach((name, part) -> {
      NativeDataset source = other.dataset(name);
      part.ifPresentOrElse(
          some -> prepared(other, source, some).run(), () -> change.applyNothing(source));
    });
  }

  /**
   * Prepares the change to a source; if any rank cannot prepare it, the change fails on all ranks.
   */
  private Runnable prepared(HdfFile other, NativeDataset source, SourcePart part) {
    LocalStatus status = new LocalStatus();
    Optional<Runnable> ready =
        status.attempt(() -> Optional.of(change.prepared(source, part)), Optional.empty());
    return ready.orElseThrow(() ->
        other.refused(
            change.operation(), source.location().shown(), status.failure().orElseThrow()));
  }

  private static SortedMap<String, Target> byFile(List<SourcePart> parts) {
    Map<Path, String> names = new HashMap<>();
    SortedMap<String, List<SourcePart>> files = new TreeMap<>();
    for (SourcePart part : parts) {
      files
          .computeIfAbsent(
              names.computeIfAbsent(part.file().path(), SourceWriter::real), _ -> new ArrayList<>())
          .add(part);
    }
    SortedMap<String, Target> targets = new TreeMap<>();
    files.forEach((name, inFile) -> targets.put(name, target(inFile)));
    return targets;
  }

  /** Returns one file as a target, with the parts of each dataset joined. */
  private static Target target(List<SourcePart> parts) {
    SortedMap<String, List<SourcePart>> datasets = new TreeMap<>();
    parts.forEach(part -> datasets.computeIfAbsent(part.path(), _ -> new ArrayList<>()).add(part));
    Target target = new Target(parts.getFirst().file());
    datasets.forEach(
        (dataset, all) -> target.datasets.put(dataset, Optional.of(SourcePart.joined(all))));
    return target;
  }

  /**
   * Returns the real path of a file, which is the same for all paths with symbolic links to it; the
   * normalized absolute path if the real path cannot be determined.
   */
  static String real(Path path) {
    try {
      return path.toRealPath().toString();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize().toString();
    }
  }

  private static ByteWriter encoded(
      SortedMap<String, Target> targets, List<MissingSource> missing) {
    ByteWriter out = ByteWriter.create();
    out.u32(targets.size());
    targets.forEach((name, target) -> {
      MissingSource.text(name, out);
      MissingSource.encode(target.found, out);
      out.u32(target.datasets.size());
      target.datasets.keySet().forEach(dataset -> MissingSource.text(dataset, out));
    });
    missing.forEach(source -> source.encode(out));
    return out;
  }

  /** Returns the targets and missing sources of all ranks, with the parts of this rank. */
  private static Agreed joined(SortedMap<String, Target> mine, List<ByteReader> messages) {
    SortedMap<String, Target> all = new TreeMap<>();
    List<MissingSource> missing = new ArrayList<>();
    for (ByteReader in : messages) {
      for (long files = in.u32(); files > 0; files--) {
        String name = MissingSource.text(in);
        Found found = MissingSource.file(in);
        Target target = all.computeIfAbsent(name, _ -> new Target(found));
        for (long left = in.u32(); left > 0; left--) {
          target.datasets.putIfAbsent(MissingSource.text(in), Optional.empty());
        }
      }
      while (in.remaining() > 0) {
        missing.add(MissingSource.decode(in));
      }
    }
    all.forEach((name, target) ->
        Optional.ofNullable(mine.get(name)).ifPresent(own -> target.datasets.putAll(own.datasets)));
    return new Agreed(all, missing);
  }
}
