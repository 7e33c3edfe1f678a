package io.skerry.collective.trust;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The path of a file of Skerry's own beside an HDF5 file, and the checks that a file at that path
 * must pass. Every user who may write to the folder can create a file there. Therefore, a symbolic
 * link at that path is not followed, only a regular file is opened, and in a folder that several
 * users share, a file of another user is not used. All methods are local.
 *
 * @param file the HDF5 file, with symbolic links resolved; need not exist
 * @param path the file beside it; need not exist
 * @param kind the kind of the file beside it
 */
public record CompanionPlace(Path file, Path path, Kind kind) {
  /** The kind of a file beside an HDF5 file. */
  enum Kind {
    JOURNAL("journal", ".journal"),
    LIVE_FILE("live file", ".live");

    private final String name;
    private final String suffix;

    Kind(String name, String suffix) {
      this.name = name;
      this.suffix = suffix;
    }
  }

  private static final int MOST_LINKS = 40;
  private static final Set<PosixFilePermission> GROUP =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE);

  /**
   * Returns the place of the journal of a file. Symbolic links in the path of the file are resolved
   * first.
   *
   * @throws IOException if the path cannot be resolved
   */
  public static CompanionPlace ofJournal(Path file) throws IOException {
    return ofJournalBeside(resolved(file));
  }

  /** Returns the place of the journal of a file whose last name is not a symbolic link. */
  public static CompanionPlace ofJournalBeside(Path file) {
    return beside(file, Kind.JOURNAL);
  }

  /**
   * Returns the place of the live file of a file. Symbolic links in the path of the file are
   * resolved first.
   *
   * @throws IOException if the path cannot be resolved
   */
  public static CompanionPlace ofLiveFile(Path file) throws IOException {
    return beside(resolved(file), Kind.LIVE_FILE);
  }

  private static Path resolved(Path file) throws IOException {
    return Files.exists(file) ? file.toRealPath() : target(file);
  }

  private static CompanionPlace beside(Path file, Kind kind) {
    return new CompanionPlace(file, file.resolveSibling(file.getFileName() + kind.suffix), kind);
  }

  /** Follows symbolic links to a file that does not exist yet. */
  private static Path target(Path file) throws IOException {
    Path named = file;
    for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(named); i++) {
      named = named.resolveSibling(Files.readSymbolicLink(named));
    }
    return named;
  }

  /** Returns whether the path exists, as a file of any kind or a dangling link. */
  public boolean isTaken() {
    try {
      // Unlike Files.exists, this call creates no exception if there is no file.
      return Optional.ofNullable(
              path.getFileSystem()
                  .provider()
                  .readAttributesIfExists(
                      path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS))
          .isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the identity of the file at the path: its device and inode numbers, or the path itself
   * if the file system has no such numbers. Empty if there is no file at that path.
   */
  public Optional<Object> identity() throws IOException {
    try {
      return Optional.of(Optional.ofNullable(attributes().fileKey()).orElse(path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private BasicFileAttributes attributes() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Checks that the file at the path may be opened.
   *
   * @throws NoSuchFileException if the file no longer exists, because a writer has removed it
   * @throws IOException if the file is not regular, has more than one hard link, or belongs to
   *     another user in a folder that several users share
   */
  public void check() throws IOException {
    if (!attributes().isRegularFile()) {
      throw refusal("is not a regular file");
    }
    if (ForeignFiles.names(path) > 1) {
      throw refusal("has a second hard link");
    }
    if (ForeignFiles.isUntrusted(path, file)) {
      throw refusal("belongs to another user, in a folder with the sticky bit");
    }
  }

  private IOException refusal(String reason) {
    return new IOException(
        "the " + kind.name + " " + reason + ": " + kind.suffix.substring(1) + "=" + path);
  }

  /**
   * Creates the file unless it exists. It will hold content of the HDF5 file, so it gets the read
   * and write permissions of that file. However, its owner can always read and write it, and its
   * group has access only if it is also the group of the HDF5 file. If the HDF5 file does not exist
   * yet, or its file system has no POSIX permissions, it gets the default permissions of the
   * process.
   */
  public void create() throws IOException {
    boolean copiesPermissions =
        Files.exists(file) && file.getFileSystem().supportedFileAttributeViews().contains("posix");
    try {
      if (copiesPermissions) {
        createLike(Files.readAttributes(file, PosixFileAttributes.class));
      } else {
        Files.createFile(path);
      }
    } catch (FileAlreadyExistsException e) {
      // Another program has created the file in the meantime.
    }
  }

  private void createLike(PosixFileAttributes wanted) throws IOException {
    FileAttribute<?> ownOnly =
        PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    Files.createFile(path, ownOnly);
    try {
      permit(wanted);
    } catch (NoSuchFileException e) {
      // Another program has removed the file in the meantime, so the caller checks again.
    }
  }

  private void permit(PosixFileAttributes wanted) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    permissions.addAll(wanted.permissions());
    permissions.removeIf(each -> each.name().endsWith("_EXECUTE"));
    permissions.add(PosixFilePermission.OWNER_READ);
    permissions.add(PosixFilePermission.OWNER_WRITE);
    if (!hasGroup(view, wanted)) {
      permissions.removeAll(GROUP);
    }
    view.setPermissions(permissions);
  }

  /** Gives the file the group of the HDF5 file, and returns whether it has that group now. */
  private static boolean hasGroup(PosixFileAttributeView view, PosixFileAttributes wanted)
      throws IOException {
    if (view.readAttributes().group().equals(wanted.group())) {
      return true;
    }
    try {
      view.setGroup(wanted.group());
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
