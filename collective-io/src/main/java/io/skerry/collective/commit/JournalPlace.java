package io.skerry.collective.commit;

import io.skerry.collective.trust.ForeignFiles;
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
 * The path of the journal beside an HDF5 file, and the checks that a file at that path must pass.
 * Every user who may write to the folder can create a file there. Therefore, a symbolic link at
 * that path is not followed, only a regular file is opened, and in a folder that several users
 * share, a file of another user is not used. All methods are local.
 *
 * @param file the HDF5 file, with symbolic links resolved; need not exist
 * @param journal the journal; need not exist
 */
record JournalPlace(Path file, Path journal) {
  private static final int MOST_LINKS = 40;
  private static final Set<PosixFilePermission> GROUP =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE);

  /**
   * Returns the journal path for a file. Symbolic links in the path of the file are resolved first.
   */
  static JournalPlace of(Path file) throws IOException {
    return ofUnlinked(Files.exists(file) ? file.toRealPath() : target(file));
  }

  /** Returns the journal path for a file; the last name of the path is not a symbolic link. */
  static JournalPlace ofUnlinked(Path file) {
    return new JournalPlace(file, file.resolveSibling(file.getFileName() + ".journal"));
  }

  /** Follows symbolic links to a file that does not exist yet. */
  private static Path target(Path file) throws IOException {
    Path named = file;
    for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(named); i++) {
      named = named.resolveSibling(Files.readSymbolicLink(named));
    }
    return named;
  }

  /** Returns whether the path of the journal exists, as a file of any kind or a dangling link. */
  boolean isTaken() {
    try {
      // Unlike Files.exists, this call creates no exception if there is no file.
      return Optional.ofNullable(
              journal
                  .getFileSystem()
                  .provider()
                  .readAttributesIfExists(
                      journal, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS))
          .isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the identity of the file at the path of the journal: its device and inode numbers, or
   * the path itself if the file system has no such numbers. Empty if there is no file at that path.
   */
  Optional<Object> identity() throws IOException {
    try {
      return Optional.of(Optional.ofNullable(attributes().fileKey()).orElse(journal));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private BasicFileAttributes attributes() throws IOException {
    return Files.readAttributes(journal, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Checks that the file at the path of the journal may be opened as a journal.
   *
   * @throws NoSuchFileException if the file no longer exists, because a writer has removed its
   *     journal
   * @throws IOException if the file is not regular, has more than one hard link, or belongs to
   *     another user in a folder that several users share
   */
  void check() throws IOException {
    if (!attributes().isRegularFile()) {
      throw refusal("the journal is not a regular file");
    }
    if (ForeignFiles.names(journal) > 1) {
      throw refusal("the journal has a second hard link");
    }
    if (ForeignFiles.isUntrusted(journal, file)) {
      throw refusal("the journal belongs to another user, in a folder with the sticky bit");
    }
  }

  private IOException refusal(String reason) {
    return new IOException(reason + ": journal=" + journal);
  }

  /**
   * Creates the journal unless it exists. The journal will hold content of the HDF5 file, so it
   * gets the read and write permissions of that file. However, the owner of the journal can always
   * read and write it, and the group of the journal has access only if it is also the group of the
   * HDF5 file. If the HDF5 file does not exist yet, or its file system has no POSIX permissions,
   * the journal gets the default permissions of the process.
   */
  void create() throws IOException {
    boolean copiesPermissions =
        Files.exists(file) && file.getFileSystem().supportedFileAttributeViews().contains("posix");
    try {
      if (copiesPermissions) {
        createLike(Files.readAttributes(file, PosixFileAttributes.class));
      } else {
        Files.createFile(journal);
      }
    } catch (FileAlreadyExistsException e) {
      // Another program has created the journal in the meantime.
    }
  }

  private void createLike(PosixFileAttributes wanted) throws IOException {
    FileAttribute<?> ownOnly =
        PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    Files.createFile(journal, ownOnly);
    try {
      permit(wanted);
    } catch (NoSuchFileException e) {
      // Another program has removed the journal in the meantime, so the caller checks again.
    }
  }

  private void permit(PosixFileAttributes wanted) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(
            journal, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
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

  /** Gives the journal the group of the HDF5 file, and returns whether it has that group now. */
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
