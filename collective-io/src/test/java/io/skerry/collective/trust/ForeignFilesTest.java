package io.skerry.collective.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignFilesTest {
  private static final int OTHER_USER = 65_534;
  private static final int THIRD_USER = 65_533;

  @TempDir Path folder;

  @Test
  void a_file_of_another_user_is_untrusted_also_through_a_link_to_its_shared_folder()
      throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "other owners need root: skipped");
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), shared);
    Path file = Files.createFile(shared.resolve("x.h5"));
    Path journal = Files.createFile(shared.resolve("x.h5.journal"));
    Files.setAttribute(shared, "unix:mode", 01777);
    setOwner(shared, THIRD_USER);
    setOwner(journal, OTHER_USER);
    for (Path place : new Path[] {shared, link, link.resolve("../link")}) {
      Path beside = place.resolve(file.getFileName());
      assertEquals(
          true, ForeignFiles.isUntrusted(place.resolve("x.h5.journal"), beside), "" + place);
    }
    setOwner(shared, OTHER_USER);
    assertEquals(false, ForeignFiles.isUntrusted(link.resolve("x.h5.journal"), file));
  }

  private static void setOwner(Path path, int owner) throws IOException {
    Files.setAttribute(path, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
  }
}
