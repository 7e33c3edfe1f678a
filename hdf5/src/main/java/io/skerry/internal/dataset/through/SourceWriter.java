package io.skerry.internal.dataset.through;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
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
 * Applies a change of elements of a virtual dataset to the sources. The ranks first agree that each
 * of them can apply its part, and on the sources, then change one source after the other in the
 * order of their paths. Each file is opened for writing by all ranks and closed again, which stores
 * the changes. Collective, within the gate of the file with the virtual dataset.
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
   * @param found the path by which the file is opened
   * @param datasets the part of this rank in each dataset; empty if only other ranks change it
   */
  private record Target(Found found, SortedMap<String, Optional<SourcePart>> datasets) {
    Target(Found found) {
      this(found, new TreeMap<>());
    }
  }

  /**
   * Applies the change.
   *
   * @param planning returns the elements that this rank changes; of an element in several parts,
   *     the first counts. If it fails on one rank, the change fails on all ranks, and nothing is
   *     changed
   */
  public void apply(Supplier<List<SourcePart>> planning) {
    SortedMap<String, Target> mine = new TreeMap<>();
    SortedMap<String, Target> targets =
        file.collective()
            .steps()
            .together(
                change.operation(),
                path,
                () -> {
                  mine.putAll(byFile(planning.get()));
                  return encoded(mine);
                },
                messages -> joined(mine, messages));
    String own = real(file.path());
    try {
      targets.forEach((name, target) -> {
        if (name.equals(own)) {
          apply(file, target);
        } else {
          applyElsewhere(target);
        }
      });
    } finally {
      // Sources that are open for reading have the state before the change.
      file.sources().close();
    }
  }

  private void applyElsewhere(Target target) {
    HdfFile other = file.sources().openForWriting(target.found);
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
      part.ifPresentOrElse(some -> change.apply(source, some), () -> change.applyNothing(source));
    });
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

  /** Returns a name of a file that is the same for all paths to it. */
  private static String real(Path path) {
    try {
      return path.toRealPath().toString();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize().toString();
    }
  }

  private static ByteWriter encoded(SortedMap<String, Target> targets) {
    ByteWriter out = ByteWriter.create();
    targets.forEach((name, target) -> {
      text(out, name);
      text(out, target.found.named().toString());
      text(out, target.found.path().toString());
      out.u32(target.datasets.size());
      target.datasets.keySet().forEach(dataset -> text(out, dataset));
    });
    return out;
  }

  private static void text(ByteWriter out, String text) {
    byte[] bytes = StoredText.encode(text);
    out.u32(bytes.length).bytes(bytes);
  }

  private static String text(ByteReader in) {
    return in.text(in.u32());
  }

  /** Returns the targets of all ranks, with the parts of this rank. */
  private static SortedMap<String, Target> joined(
      SortedMap<String, Target> mine, List<ByteReader> messages) {
    SortedMap<String, Target> all = new TreeMap<>();
    for (ByteReader in : messages) {
      while (in.remaining() > 0) {
        String name = text(in);
        Found found = new Found(Path.of(text(in)), Path.of(text(in)));
        Target target = all.computeIfAbsent(name, _ -> new Target(found));
        for (long left = in.u32(); left > 0; left--) {
          target.datasets.putIfAbsent(text(in), Optional.empty());
        }
      }
    }
    all.forEach((name, target) ->
        Optional.ofNullable(mine.get(name)).ifPresent(own -> target.datasets.putAll(own.datasets)));
    return all;
  }
}
