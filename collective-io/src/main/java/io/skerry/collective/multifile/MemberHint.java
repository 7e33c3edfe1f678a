package io.skerry.collective.multifile;

import io.skerry.exception.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses a file that is probably a later member of a family or multi file. The message names the
 * file to open instead.
 */
final class MemberHint {
  private static final Pattern MEMBER_OF_MULTI = Pattern.compile("(.*)-[a-z]\\.h5");

  private MemberHint() {}

  /**
   * Checks a file without a superblock by its name and the files beside it.
   *
   * @throws FormatException if the file is probably a member of a family or multi file
   */
  static void check(Path path) throws IOException {
    for (FamilyName.Place place : FamilyName.ofMember(path)) {
      if (place.number() > 0 && isMember(path, place)) {
        Path first = place.name().member(0);
        throw new FormatException(
                "probably member %d of a family of files, which cannot be opened alone%s"
                    .formatted(
                        place.number(),
                        Files.exists(first)
                            ? ""
                            : "; the first member, " + first.getFileName() + ", is missing"),
                "the family " + place.name().pattern() + " or its first member",
                "a member without superblock")
            .inFile(path.toString());
      }
    }
    Optional<Path> superblock = multi(path);
    if (superblock.isPresent()) {
      throw new FormatException(
              "probably a member of a multi file, which cannot be opened alone",
              superblock.get(),
              "a member without superblock")
          .inFile(path.toString());
    }
  }

  /**
   * Returns whether a file is probably a member: the first member has a superblock, or the next or
   * previous member has the same size and no superblock.
   */
  private static boolean isMember(Path path, FamilyName.Place place) throws IOException {
    if (MultifileSearch.hasSuperblock(place.name().member(0))) {
      return true;
    }
    return isLike(path, place.name().member(place.number() + 1))
        || isLike(path, place.name().member(place.number() - 1));
  }

  private static boolean isLike(Path path, Path neighbor) throws IOException {
    return Files.isRegularFile(neighbor)
        && Files.size(neighbor) == Files.size(path)
        && !MultifileSearch.hasSuperblock(neighbor);
  }

  private static Optional<Path> multi(Path path) {
    Matcher name = MEMBER_OF_MULTI.matcher(path.toString());
    if (name.matches()) {
      for (String suffix : MultifileSearch.SUPERBLOCK_MEMBERS) {
        Path superblock = Path.of(name.group(1) + suffix);
        if (MultifileSearch.hasSuperblock(superblock)) {
          return Optional.of(superblock);
        }
      }
    }
    return Optional.empty();
  }
}
