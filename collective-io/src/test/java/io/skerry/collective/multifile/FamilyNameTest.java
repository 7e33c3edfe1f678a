package io.skerry.collective.multifile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FamilyNameTest {
  private static String member(String pattern, long number) {
    return FamilyName.ofPattern(Path.of(pattern)).orElseThrow().member(number).toString();
  }

  @Test
  void a_pattern_names_its_members_as_printf_does() {
    assertEquals("d/run00000.h5", member("d/run%05d.h5", 0));
    assertEquals("run12.h5", member("run%d.h5", 12));
    assertEquals("run   7", member("run%4i", 7));
    assertEquals("100000-x", member("%05u-x", 100_000));
  }

  @Test
  void other_names_with_a_percent_sign_are_no_patterns() {
    for (String name : List.of("run.h5", "100%", "%s.h5", "%d-%d.h5", "%0d", "%123d", "%ld", "")) {
      assertEquals(Optional.empty(), FamilyName.ofPattern(Path.of(name)), name);
    }
  }

  @Test
  void the_families_of_a_member_follow_from_its_name() {
    List<String> found =
        FamilyName.ofMember(Path.of("x/a1b012.h5")).stream()
            .map(place -> place.name().pattern() + " " + place.number())
            .toList();
    assertEquals(List.of("x/a1b012.h%d 5", "x/a1b%03d.h5 12", "x/a%db012.h5 1"), found);
    assertEquals(
        List.of("r%02d 12", "r%d 12"),
        FamilyName.ofMember(Path.of("r12")).stream()
            .map(place -> place.name().pattern() + " " + place.number())
            .toList());
  }

  @Test
  void the_families_of_a_member_include_its_pattern() {
    for (String pattern : List.of("f%05d.h5", "f%d.nx", "%03d")) {
      FamilyName name = FamilyName.ofPattern(Path.of(pattern)).orElseThrow();
      for (long number : new long[] {0, 1, 9, 10, 99, 1000, 123_456}) {
        boolean back =
            FamilyName.ofMember(name.member(number)).stream()
                .anyMatch(place ->
                    place.number() == number
                        && place.name().member(number + 1).equals(name.member(number + 1)));
        assertTrue(back, pattern + " " + number);
      }
    }
  }
}
