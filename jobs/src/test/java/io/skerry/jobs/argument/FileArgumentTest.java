package io.skerry.jobs.argument;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileArgumentTest {
  @TempDir Path folder;

  private static void parsed(String file, String path, String text) {
    assertEquals(new FileArgument(Path.of(file), Optional.of(path)), FileArgument.parse(text));
  }

  @Test
  void the_path_of_an_object_may_contain_a_colon_before_a_slash() throws IOException {
    String file = Files.createFile(folder.resolve("a.h5")).toString();
    parsed(file, "/x:/y", file + ":/x:/y");
    parsed(file, "/x:/y:/z", file + ":/x:/y:/z");
    parsed(file, "/x", file + ":/x");
  }

  @Test
  void the_last_colon_separates_if_no_part_is_a_file() throws IOException {
    String other = folder.resolve("missing.h5").toString();
    parsed(other + ":/x", "/y", other + ":/x:/y");
    Path inner = Files.createDirectories(folder.resolve("run:")).resolve("b.h5");
    Files.createFile(inner);
    parsed(inner.toString(), "/x", inner + ":/x");
    parsed(inner.toString(), "/x:/y", inner + ":/x:/y");
  }

  @Test
  void the_path_of_an_object_may_contain_characters_that_no_file_name_can_contain() {
    parsed("a.h5", "/lat\udcff\n\u0000r", "a.h5:/lat\udcff\n\u0000r");
    parsed("iod:run", "/lat\udcff\n\u0000r", "iod:run:/lat\udcff\n\u0000r");
  }

  @Test
  void the_colon_of_a_store_does_not_separate() {
    for (String store : new String[] {"iod:run", "iod:/data/run"}) {
      assertEquals(new FileArgument(Path.of(store), Optional.empty()), FileArgument.parse(store));
      parsed(store, "/x", store + ":/x");
    }
    parsed("./iod", "/data", "./iod:/data");
  }

  @Test
  void a_text_without_a_separator_is_a_file() {
    for (String text : new String[] {"a.h5", "a:b.h5", ":/x"}) {
      assertEquals(new FileArgument(Path.of(text), Optional.empty()), FileArgument.parse(text));
    }
    parsed(":/x", "/y", ":/x:/y");
  }
}
