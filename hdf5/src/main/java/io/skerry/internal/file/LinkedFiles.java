package io.skerry.internal.file;

import io.skerry.NoSuchObjectException;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.exception.UnsupportedFeatureException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The files to which the external links of a file lead; each is opened when first needed. */
final class LinkedFiles {
  private final NativeFile file;
  private final CollectiveFile collective;
  private final Opener opener;
  private final Map<String, NativeFile> byName = new HashMap<>();

  /** The open target files by path, in the order of opening, which is the same on all ranks. */
  private final Map<Path, NativeFile> byPlace = new LinkedHashMap<>();

  /** Opens a file on all ranks. */
  @FunctionalInterface
  interface Opener {
    NativeFile open(Found found);
  }

  /**
   * Creates the table of the target files.
   *
   * @param opener a function that opens a target file when it is first needed
   */
  LinkedFiles(NativeFile file, Opener opener) {
    this.file = file;
    this.collective = file.collective();
    this.opener = opener;
  }

  /**
   * Returns the file that an external link names, opened with the same access as the linking file.
   * A relative path is resolved against the folder of the linking file; if there is no file at a
   * relative or absolute path, that folder is searched for the last component of the path. The
   * first call with a name searches for the file collectively and, unless it is open, opens it
   * collectively; all ranks must make this call in the same step.
   *
   * @param shown the path that led to the link, for messages
   * @throws NoSuchObjectException if no such file exists
   * @throws UnsupportedFeatureException if the linking file is being created, so that its links
   *     cannot be followed yet
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file
   */
  NativeFile named(String name, String shown) {
    if (collective.others().isItself(name)) {
      return file;
    }
    NativeFile known = byName.get(name);
    if (known == null) {
      if (collective.access().isCreating()) {
        throw new UnsupportedFeatureException(
            "following an external link from a file being created", file.path() + " -> " + name);
      }
      Found found =
          collective
              .findLinked(name, shown)
              .orElseThrow(() ->
                  Resolver.missing(
                      file, "the file of an external link is missing: target=" + name, shown));
      known = collective.others().isItself(found.named().toString()) ? file : opened(found);
      byName.put(name, known);
    }
    return known;
  }

  private NativeFile opened(Found found) {
    NativeFile known = byPlace.get(found.path());
    if (known == null) {
      known = opener.open(found);
      byPlace.put(found.path(), known);
    }
    return known;
  }

  void forEach(Consumer<NativeFile> action) {
    byPlace.values().forEach(action);
  }

  /**
   * Closes the target files and the sources of virtual datasets, even if some of them cannot be
   * closed.
   *
   * @param sources an action that closes the sources
   * @param closeLinked an action that closes a target file
   * @throws RuntimeException the first failure, to which later failures are added as suppressed
   *     exceptions
   */
  void close(Runnable sources, Consumer<NativeFile> closeLinked) {
    List<LocalStatus> closings = new ArrayList<>();
    closings.add(new LocalStatus());
    closings.getFirst().attempt(sources::run);
    forEach(other -> {
      LocalStatus closing = new LocalStatus();
      closings.add(closing);
      closing.attempt(() -> closeLinked.accept(other));
    });
    List<RuntimeException> failures =
        closings.stream().flatMap(closing -> closing.failure().stream()).toList();
    if (!failures.isEmpty()) {
      failures.stream().skip(1).forEach(failures.getFirst()::addSuppressed);
      throw failures.getFirst();
    }
  }
}
