package io.skerry.collective.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Detects files of other users in shared folders such as {@code /tmp}. Any user can create a file
 * there under a name that a program is known to use. All methods are local.
 */
public final class ForeignFiles {
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final Path SELF = Path.of("/proc/self");

  private ForeignFiles() {}

  /**
   * Returns whether a file may have been created by another user to mislead this process. This is
   * the case if its folder is sticky and writable by other users, and if its owner is neither the
   * user who runs this process, nor the owner of the folder, nor the owner of {@code beside}. Each
   * of these users could change {@code beside} anyway.
   *
   * @param file an existing file; a symbolic link is not followed
   * @param beside the file with which {@code file} is used; need not exist
   * @return true if the file must not be used; always false if the file system does not record
   *     owners
   */
  public static boolean isUntrusted(Path file, Path beside) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return false;
    }
    Path parent = file.toRealPath(LinkOption.NOFOLLOW_LINKS).getParent();
    if (parent == null) {
      return false;
    }
    // A symbolic link has its own mode, which does not determine who may create files.
    Path folder = parent.toRealPath();
    int mode = number(folder, "mode");
    if ((mode & STICKY) == 0 || (mode & WRITABLE_BY_OTHERS) == 0) {
      return false;
    }
    int owner = number(file, "uid");
    for (Path own : Stream.of(SELF, beside, folder).filter(Files::exists).toList()) {
      if (number(own.toRealPath(), "uid") == owner) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the number of hard links to a file; 1 if the file system does not report this number.
   */
  public static int names(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? number(file, "nlink")
        : 1;
  }

  private static int number(Path path, String attribute) throws IOException {
    return Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS)
            instanceof Integer number
        ? number
        : 0;
  }
}
