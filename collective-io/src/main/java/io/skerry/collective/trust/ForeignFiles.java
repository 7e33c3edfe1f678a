package io.skerry.collective.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Tells files of strangers in folders that all share, such as {@code /tmp}: anyone may have put
 * them there, under a name that a program is known to use. Local.
 */
public final class ForeignFiles {
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final Path SELF = Path.of("/proc/self");

  private ForeignFiles() {}

  /**
   * Returns whether a file is in a folder that many may write to, where only its owner may remove
   * it, and belongs to none of those who could change the other file anyway: the owner of this
   * process, of that file or of the folder.
   *
   * @param file an existing file, which is not followed if it is a link
   * @param beside the file that it is to be used with; it need not exist
   * @return always false where files have no owners
   */
  public static boolean isStranger(Path file, Path beside) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return false;
    }
    Path folder = file.toRealPath(LinkOption.NOFOLLOW_LINKS).getParent();
    if (folder == null) {
      return false;
    }
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

  /** The number of names that a file has; 1 where that is not known. */
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
