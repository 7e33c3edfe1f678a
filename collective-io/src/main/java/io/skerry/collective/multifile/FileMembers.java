package io.skerry.collective.multifile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Lists the files on disk in which one HDF5 file is stored. */
public final class FileMembers {
  private FileMembers() {}

  /**
   * Returns the files that a path denotes: the path itself, or the members of a family or a multi
   * file. Local.
   *
   * @return the files; empty if there is no file of that name
   * @throws io.skerry.exception.FormatException if a flush of the file was interrupted, if the
   *     driver information is damaged or contradicts the name of the file, if a member of a family
   *     is missing or too short, or if the path is that of a member that cannot be opened alone
   * @throws io.skerry.exception.UnsupportedFeatureException if the file is the stub of the
   *     subfiling driver
   */
  public static List<Path> of(Path path) throws IOException {
    Optional<SegmentMap> map = MultifileSearch.find(path);
    if (map.isPresent()) {
      return map.get().files();
    }
    return Files.exists(path) ? List.of(path) : List.of();
  }
}
