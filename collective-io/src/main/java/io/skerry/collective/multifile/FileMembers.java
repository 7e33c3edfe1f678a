package io.skerry.collective.multifile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files of a disk that one HDF5 file consists of. */
public final class FileMembers {
  private FileMembers() {}

  /**
   * The files that a path stands for: itself, or the members of a family or a multi file; none if
   * there is nothing of that name. Local.
   *
   * @throws io.skerry.exception.FormatException if a member is missing or cannot be opened alone
   */
  public static List<Path> of(Path path) throws IOException {
    Optional<SegmentMap> spread = MultifileSearch.find(path);
    if (spread.isPresent()) {
      return spread.get().files();
    }
    return Files.exists(path) ? List.of(path) : List.of();
  }
}
