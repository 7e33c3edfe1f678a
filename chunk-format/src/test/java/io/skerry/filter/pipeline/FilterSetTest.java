package io.skerry.filter.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests service providers that cannot be loaded. */
class FilterSetTest {
  private static final int BROKEN = 41_001;
  private static final int LATE = 41_002;
  private static final byte[] BYTES = {1, 2, 3};

  @TempDir Path folder;

  /** A filter that leaves the bytes unchanged. */
  private abstract static class Unchanged implements Filter {
    @Override
    public String name() {
      return "unchanged";
    }

    @Override
    public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
      return Optional.of(in);
    }

    @Override
    public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
      return in;
    }
  }

  /** A provider whose constructor fails. */
  public static final class Unconstructible extends Unchanged {
    public Unconstructible() {
      throw new IllegalStateException("no license");
    }

    @Override
    public int id() {
      return BROKEN;
    }
  }

  /** A provider that needs a library that is not installed. */
  public static final class Nameless extends Unchanged {
    @Override
    public int id() {
      throw new UnsatisfiedLinkError("no such library");
    }
  }

  /** A provider without defects that is listed after the others. */
  public static final class Late extends Unchanged {
    @Override
    public int id() {
      return LATE;
    }
  }

  private FilterSet withServices(String... providers) throws IOException {
    Path services = folder.resolve("META-INF/services/" + Filter.class.getName());
    Files.createDirectories(services.getParent());
    Files.write(services, List.of(providers));
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, FilterSetTest.class.getClassLoader())) {
      return FilterSet.standard().withServices(loader);
    }
  }

  private static FilterPipeline pipeline(FilterSet set, int id) {
    return FilterPipeline.of(FilterSpec.of(id, FilterSpec.Flag.MANDATORY)).withFilterSet(set);
  }

  @Test
  void a_provider_that_cannot_be_loaded_affects_only_chunks_that_need_its_filter()
      throws IOException {
    FilterSet set =
        withServices(
            "no.such.Provider",
            Unconstructible.class.getName(),
            Nameless.class.getName(),
            Late.class.getName());
    assertEquals(3, set.brokenProviders().size(), set.toString());
    for (int id : new int[] {LATE, Filters.DEFLATE}) {
      FilterPipeline sound = pipeline(set, id);
      MemorySegment stored = sound.apply(MemorySegment.ofArray(BYTES)).bytes();
      assertArrayEquals(BYTES, sound.undo(stored, 0, 3).toArray(ValueLayout.JAVA_BYTE));
    }
    FilterPipeline broken = pipeline(set, BROKEN);
    for (String words : List.of("no.such.Provider", "Unconstructible", "no such library")) {
      assertUnsupported(words, () -> broken.apply(MemorySegment.ofArray(BYTES)));
      assertUnsupported(words, () -> broken.undo(MemorySegment.ofArray(BYTES), 0, 3));
    }
  }

  private static void assertUnsupported(String words, Runnable step) {
    String message =
        String.valueOf(assertThrows(UnsupportedFeatureException.class, step::run).getMessage());
    assertTrue(message.contains("filter id=" + BROKEN) && message.contains(words), message);
  }

  @Test
  void a_list_of_providers_that_cannot_be_read_ends_the_search() {
    ClassLoader unreadable =
        new ClassLoader(FilterSetTest.class.getClassLoader()) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            throw new IOException("unreadable: " + name);
          }
        };
    FilterSet set = FilterSet.standard().withServices(unreadable);
    assertEquals(1, set.brokenProviders().size(), set.toString());
    assertEquals(FilterSet.standard().byId(), set.byId());
  }
}
