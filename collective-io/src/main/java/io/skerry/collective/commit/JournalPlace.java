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
 * The name of the journal beside an HDF5 file, and what may have that name. Local. Anyone who may
 * write to the folder can put something there: no link is followed, nothing is opened that is not
 * an ordinary file, and in a folder that strangers share a stranger's file is not used.
 *
 * @param file the HDF5 file, which need not exist, by its name without links
 * @param journal the journal, which need not exist
 */
record JournalPlace(Path file, Path journal) {
  private static final int MOST_LINKS = 40;
  private static final Set<PosixFilePermission> GROUP =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE);

  /** The journal of a file: the same by whatever links the file is named. */
  static JournalPlace of(Path file) throws IOException {
    Path named = Files.exists(file) ? file.toRealPath() : target(file);
    return new JournalPlace(named, named.resolveSibling(named.getFileName() + ".journal"));
  }

  /** The name that a link to a file that does not exist yet leads to. */
  private static Path target(Path file) throws IOException {
    Path named = file;
    for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(named); i++) {
      named = named.resolveSibling(Files.readSymbolicLink(named));
    }
    return named;
  }

  /** Returns whether something has the name of the journal, be it a link that leads nowhere. */
  boolean isTaken() {
    return Files.exists(journal, LinkOption.NOFOLLOW_LINKS);
  }

  /** What has the name of the journal: device and number; nothing if it is free. */
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
   * Checks that what has the name of the journal may be opened as one.
   *
   * @throws NoSuchFileException if the name is free again: a writer has removed its journal
   * @throws IOException if it is not an ordinary file, has a second name, or is a stranger's file
   *     in a folder that strangers share
   */
  void check() throws IOException {
    if (!attributes().isRegularFile()) {
      throw refusal("what has the name of the journal is not an ordinary file");
    }
    if (ForeignFiles.names(journal) > 1) {
      throw refusal("the journal has a second name");
    }
    if (ForeignFiles.isStranger(journal, file)) {
      throw refusal("the journal belongs to a stranger, in a folder that all share");
    }
  }

  private IOException refusal(String reason) {
    return new IOException(reason + ": journal=" + journal);
  }

  /**
   * Creates the journal if the name is free. It holds what the file holds, so that it is given the
   * file's permissions; the journal of a new file has those that the umask leaves.
   */
  void create() throws IOException {
    boolean like =
        Files.exists(file) && file.getFileSystem().supportedFileAttributeViews().contains("posix");
    try {
      if (like) {
        createLike(Files.readAttributes(file, PosixFileAttributes.class));
      } else {
        Files.createFile(journal);
      }
    } catch (FileAlreadyExistsException e) {
      // Another program was faster.
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
      // Another program has removed the journal meanwhile, so the caller looks again.
    }
  }

  private void permit(PosixFileAttributes wanted) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(
            journal, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    Set<PosixFilePermission> permissions = EnumSet.copyOf(wanted.permissions());
    permissions.removeIf(each -> each.name().endsWith("_EXECUTE"));
    permissions.add(PosixFilePermission.OWNER_READ);
    permissions.add(PosixFilePermission.OWNER_WRITE);
    if (!hasGroup(view, wanted)) {
      permissions.removeAll(GROUP);
    }
    view.setPermissions(permissions);
  }

  /**
   * Returns whether the journal is of the file's group now. Another group must not read it instead.
   */
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
