package io.skerry.collective.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.collective.trust.ReferencedFiles.Place;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.Trust;
import io.skerry.parallel.UntrustedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferencedFilesTest {
  private static final List<Place> EVERYWHERE = List.of(Place.values());

  @TempDir private Path root;
  private Path inside = Path.of("");
  private Path near = Path.of("");
  private Path secret = Path.of("");

  @BeforeEach
  void create_files() throws IOException {
    Path folder = root.toRealPath();
    inside = Files.createDirectory(folder.resolve("inside"));
    near = Files.createFile(inside.resolve("near"));
    secret = Files.createFile(folder.resolve("secret"));
  }

  private ReferencedFiles of(Trust trust) {
    return ReferencedFiles.of(inside.resolve("main.h5"), trust);
  }

  private static String refusal(ReferencedFiles others, String name) {
    return assertThrows(
            UntrustedFileException.class, () -> others.find(name, "/d", EVERYWHERE), name)
        .reason();
  }

  @Test
  void an_absolute_name_is_refused_whether_or_not_the_file_exists() {
    ReferencedFiles careful = of(Trust.SAME_FOLDER);
    assertEquals("an absolute name", refusal(careful, secret.toString()));
    assertEquals("an absolute name", refusal(careful, secret + ".missing"));
    assertEquals("an absolute name", refusal(careful, near.toString()));
    assertEquals("an absolute name", refusal(careful, "/"));
  }

  @Test
  void a_name_that_leaves_the_folder_is_refused_whether_or_not_the_file_exists() {
    ReferencedFiles careful = of(Trust.SAME_FOLDER);
    for (String name : List.of("../secret", "../missing", "sub/../../secret", "..", "../../x")) {
      assertTrue(refusal(careful, name).startsWith("a name that leads out of the folder "), name);
    }
    assertEquals(
        Optional.of(near), careful.find("../inside/near", "/d", EVERYWHERE).map(Found::path));
    assertEquals(Optional.of(near), careful.find("sub/../near", "/d", EVERYWHERE).map(Found::path));
  }

  @Test
  void the_working_folder_is_trusted_only_under_the_policy_all() throws IOException {
    Path here = Files.createTempFile(Path.of(""), "other", ".raw");
    try {
      String name = here.toString();
      assertTrue(refusal(of(Trust.SAME_FOLDER), name).contains(" is outside of the folder "));
      assertEquals(
          Optional.of(here.toAbsolutePath()),
          of(Trust.ALL).find(name, "/d", EVERYWHERE).map(Found::path));
    } finally {
      Files.delete(here);
    }
  }

  @Test
  void invalid_names_are_treated_as_names_of_missing_files() {
    for (Trust trust : List.of(Trust.ALL, Trust.SAME_FOLDER)) {
      assertEquals(Optional.empty(), of(trust).find("a\0b", "/d", EVERYWHERE));
      assertEquals(Optional.empty(), of(trust).find("missing", "/d", EVERYWHERE));
    }
  }

  @Test
  void folders_are_refused_under_every_policy() throws IOException {
    Files.createDirectory(inside.resolve("sub"));
    for (Trust trust : List.of(Trust.ALL, Trust.SAME_FOLDER)) {
      for (String name : List.of("sub", "")) {
        assertTrue(refusal(of(trust), name).startsWith("not a regular file"), name);
      }
    }
    assertTrue(refusal(of(Trust.ALL), "/").startsWith("not a regular file"));
  }

  @Test
  void a_file_that_is_replaced_by_a_link_while_it_is_opened_is_refused() throws IOException {
    ReferencedFiles careful = of(Trust.SAME_FOLDER);
    Found found = careful.find("near", "/d", EVERYWHERE).orElseThrow();
    careful.confirm(found, "/d");
    Files.delete(near);
    Files.createSymbolicLink(near, secret);
    assertThrows(UntrustedFileException.class, () -> careful.confirm(found, "/d"));
    assertTrue(refusal(careful, "near").contains(" is outside of the folder "));
  }

  @Test
  void a_linked_file_may_name_files_in_a_parent_folder_only_inside_the_first_folder()
      throws IOException {
    Path sub = Files.createDirectory(inside.resolve("sub"));
    Files.createFile(sub.resolve("deep"));
    ReferencedFiles first = of(Trust.SAME_FOLDER);
    ReferencedFiles deep = first.namedBy(first.find("sub/deep", "/l", EVERYWHERE).orElseThrow());
    assertEquals(Optional.of(near), deep.find("../near", "/d", EVERYWHERE).map(Found::path));
    assertTrue(refusal(deep, "../../secret").startsWith("a name that leads out of the folder "));
  }

  @Test
  void a_folder_opened_by_a_link_is_trusted_at_its_real_path() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("link"), inside);
    ReferencedFiles careful = ReferencedFiles.of(link.resolve("main.h5"), Trust.SAME_FOLDER);
    assertEquals(Optional.of(near), careful.find("near", "/d", EVERYWHERE).map(Found::path));
  }

  @Test
  void a_member_outside_the_folder_is_refused() {
    ReferencedFiles careful = of(Trust.SAME_FOLDER);
    careful.checkMembers(List.of(inside.resolve("main.h5"), near));
    UntrustedFileException refused =
        assertThrows(
            UntrustedFileException.class,
            () -> careful.checkMembers(List.of(Path.of(inside + "/main-x/../../secret"))));
    assertTrue(refused.reason().startsWith("a name that leads out of the folder "));
    of(Trust.ALL).checkMembers(List.of(secret));
  }

  @Test
  void only_rank_zero_searches_and_all_ranks_get_its_result() {
    Found found = new Found(near, near);
    LocalRanks.run(
        3,
        world -> {
          assertEquals(
              Optional.of(found),
              BroadcastSearch.run(world, () -> first(world.rank(), Optional.of(found))));
          assertEquals(
              Optional.empty(),
              BroadcastSearch.run(world, () -> first(world.rank(), Optional.empty())));
          UntrustedFileException refused =
              assertThrows(
                  UntrustedFileException.class,
                  () ->
                      BroadcastSearch.run(
                          world, () -> of(Trust.NONE).find("near", "/d", EVERYWHERE)));
          assertEquals("near", refused.named());
          assertEquals("no other file is trusted", refused.reason());
          assertTrue(String.valueOf(refused.getMessage()).contains("object=/d"));
        });
  }

  private static Optional<Found> first(int rank, Optional<Found> found) {
    assertEquals(0, rank, "another rank searches");
    return found;
  }
}
