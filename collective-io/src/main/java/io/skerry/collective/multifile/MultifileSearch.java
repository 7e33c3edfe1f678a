package io.skerry.collective.multifile;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.file.DriverInfoReader;
import io.skerry.format.superblock.DriverInfo;
import io.skerry.format.superblock.Superblock;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Finds the files that a path denotes. A family is named by its pattern ({@code run%05d.h5}) or by
 * its first member; a multi file is named by the common prefix of its members or by the member with
 * the superblock. All methods are local.
 */
public final class MultifileSearch {
  private static final String SUBFILING = "Subfilin";
  static final List<String> SUPERBLOCK_MEMBERS = List.of("-s.h5", "-m.h5");

  /** The default start of object headers in a multi file: 5/6 of the address space, unsigned. */
  private static final long USUAL_HEADERS = 0xd555555555555552L;

  private static final String USUAL_HEADER_MEMBER = "-o.h5";
  private static final int GAP = 8;

  private MultifileSearch() {}

  /** A file with a superblock: a single file, or the member that contains the superblock. */
  private record First(Path path, long size, Superblock superblock, Optional<DriverInfo> driver) {
    /** Returns the end of the HDF5 file according to the superblock, including the base address. */
    long end() {
      return superblock.baseAddress() + superblock.endOfFile();
    }
  }

  /**
   * Returns the members of the family or multi file that a path denotes.
   *
   * @return the members; empty if the path denotes a single file or no file
   * @throws FormatException if a flush of the file was interrupted, if the driver information is
   *     damaged or contradicts the name of the file, if a member of a family is missing or too
   *     short, or if the path is that of a member that cannot be opened alone
   * @throws UnsupportedFeatureException if the file is the stub of the subfiling driver
   */
  public static Optional<SegmentMap> find(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      Optional<First> first = first(path);
      if (first.isEmpty()) {
        MemberHint.check(path);
      }
      return first.isPresent() ? ofFirst(first.get()) : Optional.empty();
    }
    if (Files.exists(path)) {
      return Optional.empty();
    }
    Optional<FamilyName> pattern = FamilyName.ofPattern(path);
    return pattern.isPresent() ? ofPattern(pattern.get()) : ofPrefix(path);
  }

  /**
   * Returns the file in which the superblock is expected, regardless of its content; empty if there
   * is no such file.
   */
  public static Optional<Path> withSuperblock(Path path) {
    if (Files.exists(path)) {
      return Optional.of(path);
    }
    Optional<FamilyName> pattern = FamilyName.ofPattern(path);
    Stream<Path> candidates =
        pattern.isPresent()
            ? Stream.of(pattern.get().member(0))
            : SUPERBLOCK_MEMBERS.stream().map(suffix -> withSuffix(path, suffix));
    return candidates.filter(Files::isRegularFile).findFirst();
  }

  /** Returns whether a file has a superblock that can be read. */
  static boolean hasSuperblock(Path path) {
    return Files.isRegularFile(path) && first(path).isPresent();
  }

  /**
   * Returns whether a file has a superblock, which may be damaged. Such a file is not a later
   * member of a family.
   */
  private static boolean hasSignature(Path path) {
    try (MpiFile file = Communicator.self().openFile(path, OpenMode.READ, Map.of())) {
      return Superblock.peek(new FileSource(file, 0)).isPresent();
    } catch (FormatException damaged) {
      return true;
    }
  }

  private static Optional<First> first(Path path) {
    try (MpiFile file = Communicator.self().openFile(path, OpenMode.READ, Map.of())) {
      ByteSource raw = new FileSource(file, 0);
      Optional<Superblock> superblock = peek(raw);
      if (superblock.isEmpty()) {
        return Optional.empty();
      }
      Optional<DriverInfo> driver =
          DriverInfoReader.read(raw, superblock.get())
              .or(() -> driverElsewhere(path, superblock.get(), raw.size()));
      return Optional.of(new First(path, raw.size(), superblock.get(), driver));
    }
  }

  /**
   * Reads the superblock. Empty if there is none, or if it is damaged; opening the file later
   * reports the damage.
   */
  private static Optional<Superblock> peek(ByteSource raw) {
    try {
      return Superblock.peek(raw);
    } catch (FormatException damaged) {
      return Optional.empty();
    }
  }

  /**
   * Reads the driver information of a multi file from its superblock extension. The extension is
   * stored in the member with the object headers, and only the extension itself names that member.
   * This method therefore assumes the default arrangement of members.
   */
  private static Optional<DriverInfo> driverElsewhere(Path path, Superblock superblock, long size) {
    String suffix = SUPERBLOCK_MEMBERS.getFirst();
    long extension = superblock.extensionAddress();
    if (superblock.early().isPresent()
        || !FileAddress.isDefined(extension)
        || extension < size
        || !path.toString().endsWith(suffix)) {
      return Optional.empty();
    }
    Path headers = withSuffix(prefixOf(path, suffix), USUAL_HEADER_MEMBER);
    // The superblock was decoded without the highest bit of its addresses.
    long inside = extension - (USUAL_HEADERS & Long.MAX_VALUE);
    if (inside < 0 || !Files.isRegularFile(headers)) {
      return Optional.empty();
    }
    try (MpiFile file = Communicator.self().openFile(headers, OpenMode.READ, Map.of())) {
      return inside < file.size()
          ? DriverInfoReader.message(new FileSource(file, 0), superblock.widths(), inside)
          : Optional.empty();
    }
  }

  private static Optional<SegmentMap> ofFirst(First first) throws IOException {
    // The marked superblock of an interrupted flush has no valid end of file, so the number of
    // members would be wrong.
    first.superblock().requireWhole(first.path().toString());
    if (first.driver().isEmpty()) {
      return first.end() > first.size() ? family(first, first.size()) : Optional.empty();
    }
    return switch (first.driver().get()) {
      case DriverInfo.Family family ->
          first.end() > first.size() ? family(first, family.memberSize()) : Optional.empty();
      case DriverInfo.Multi multi -> Optional.of(multi(first, multi));
      case DriverInfo.Other other
          when other.driver().equals(SUBFILING) && first.end() > first.size() ->
          throw new UnsupportedFeatureException(
              "subfiling: the data are in subfiles, and this file holds only their configuration",
              "file=" + first.path());
      case DriverInfo.Other _ -> Optional.empty();
    };
  }

  /**
   * Returns the members of a family; empty if the file is not a family. Families written by old
   * versions of HDF5 have no driver information and are recognized by their second member, which
   * has no superblock. If the second file has a superblock, it is a separate file, and the first
   * file is a truncated single file.
   */
  private static Optional<SegmentMap> family(First first, long memberSize) throws IOException {
    List<FamilyName> names =
        FamilyName.ofMember(first.path()).stream()
            .filter(place -> place.number() == 0)
            .map(FamilyName.Place::name)
            .toList();
    for (FamilyName name : names) {
      Path second = name.member(1);
      if (Files.isRegularFile(second) && (first.driver().isPresent() || !hasSignature(second))) {
        return Optional.of(members(first, name, memberSize));
      }
    }
    if (first.driver().isEmpty()) {
      return Optional.empty();
    }
    if (names.isEmpty()) {
      throw new FormatException(
              "the first member of a family, but its name has no number",
              "a name such as x00000.h5, or the pattern of the family",
              first.path().getFileName())
          .inFile(first.path().toString());
    }
    return Optional.of(members(first, names.getFirst(), memberSize));
  }

  private static Optional<SegmentMap> ofPattern(FamilyName name) throws IOException {
    Path path = name.member(0);
    if (!Files.isRegularFile(path)) {
      throw new FormatException(
              "the first member of the family is missing", path.getFileName(), "no such file")
          .inFile(name.pattern().toString());
    }
    First first =
        first(path)
            .orElseThrow(() ->
                new FormatException(
                        "the first member of the family is no HDF5 file",
                        "a superblock",
                        "none in " + path.getFileName())
                    .inFile(name.pattern().toString()));
    first.superblock().requireWhole(path.toString());
    requireMember(first, name);
    long memberSize =
        first.driver().orElse(new DriverInfo.Family(Math.max(1, first.size())))
                instanceof DriverInfo.Family family
            ? family.memberSize()
            : first.size();
    return Optional.of(members(first, name, memberSize));
  }

  /**
   * Checks, if there is no driver information, that the second file of a pattern is a member of the
   * family. Without this check, a separate file with the next number would be read as the rest of a
   * truncated first member.
   *
   * @throws FormatException if the second file is needed but has a superblock of its own
   */
  private static void requireMember(First first, FamilyName name) {
    Path second = name.member(1);
    if (first.driver().isEmpty()
        && first.end() > first.size()
        && Files.isRegularFile(second)
        && hasSignature(second)) {
      throw new FormatException(
              "member 1 of the family is another file, so the first member is truncated",
              "no superblock in " + second.getFileName(),
              "a superblock")
          .inFile(name.pattern().toString());
    }
  }

  private static SegmentMap members(First first, FamilyName name, long memberSize)
      throws IOException {
    List<Segment> parts = new ArrayList<>();
    long end = first.end();
    long count = Math.max(1, Math.ceilDiv(end, memberSize));
    for (long number = 0; number < count; number++) {
      Path member = name.member(number);
      long start = number * memberSize;
      long needed = Math.min(memberSize, end - start);
      boolean there = Files.isRegularFile(member);
      long bytes = there ? Math.min(memberSize, Files.size(member)) : 0;
      if (bytes < needed) {
        throw new FormatException(
                "member %d of the family is %s".formatted(number, there ? "cut short" : "missing"),
                "%d bytes in %s, one of %d members".formatted(needed, member.getFileName(), count),
                there ? bytes + " bytes" : "no such file")
            .inFile(name.pattern().toString());
      }
      parts.add(new Segment(member, start, start, OptionalLong.of(bytes)));
    }
    return new SegmentMap(first.superblock().baseAddress(), parts);
  }

  private static Optional<SegmentMap> ofPrefix(Path prefix) {
    for (String suffix : SUPERBLOCK_MEMBERS) {
      Path path = withSuffix(prefix, suffix);
      if (Files.isRegularFile(path)) {
        Optional<First> first = first(path);
        if (first.flatMap(First::driver).orElse(new DriverInfo.Family(1))
            instanceof DriverInfo.Multi multi) {
          return Optional.of(multi(first.orElseThrow(), multi));
        }
      }
    }
    return Optional.empty();
  }

  private static SegmentMap multi(First first, DriverInfo.Multi multi) {
    List<DriverInfo.Member> members = multi.members();
    String suffix = members.getFirst().suffix();
    if (!first.path().toString().endsWith(suffix)) {
      throw new FormatException(
              "the superblock of a multi file under another name, so that its other members cannot"
                  + " be found",
              "a name that ends in " + suffix,
              first.path().getFileName())
          .inFile(first.path().toString());
    }
    Path prefix = prefixOf(first.path(), suffix);
    List<Segment> parts = new ArrayList<>();
    long start = 0;
    for (DriverInfo.Member member : members) {
      Path file = withSuffix(prefix, member.suffix());
      OptionalLong bytes = size(file);
      parts.add(new Segment(file, member.start(), start, bytes));
      start = Math.ceilDiv(start + bytes.orElse(0) + 1, GAP) * GAP;
    }
    return new SegmentMap(first.superblock().baseAddress(), parts);
  }

  private static OptionalLong size(Path file) {
    try {
      return Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static Path prefixOf(Path path, String suffix) {
    String text = path.toString();
    return Path.of(text.substring(0, text.length() - suffix.length()));
  }

  private static Path withSuffix(Path prefix, String suffix) {
    return Path.of(prefix + suffix);
  }
}
