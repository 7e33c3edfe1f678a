package io.skerry.mpi.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The MPI library in this process's address space: found, loaded and searched for symbols.
 *
 * <p>The system property {@code skerry.mpi.lib} or else the environment variable {@code
 * SKERRY_MPI_LIB} names the library; without either it is {@code libmpi.so.40} or {@code libmpi.so}
 * wherever the dynamic linker finds it. Linux only.
 *
 * <p>A C library can be loaded only once per process, so this is a class of static finals: loaded
 * on first use and never changed.
 */
final class Libmpi {
  static final String PROPERTY = "skerry.mpi.lib";
  static final String VARIABLE = "SKERRY_MPI_LIB";

  private static final int RTLD_NOW = 2;
  private static final int RTLD_GLOBAL = 0x100;
  private static final Linker LINKER = Linker.nativeLinker();

  private record Loaded(MemorySegment library, String name) {}

  private record Search(Optional<Loaded> loaded, String tried) {}

  private static final Search SEARCH = search();

  private Libmpi() {}

  /** Ends in an {@link MpiException} naming what was tried, unless the library is Open MPI. */
  static void require() {
    var loaded = SEARCH.loaded();
    if (loaded.isEmpty()) {
      throw unusable("no MPI library could be loaded: " + SEARCH.tried());
    }
    if (find(OpenMpiAbi.WORLD_SYMBOL).isEmpty()) {
      throw unusable(
          "the MPI library is not Open MPI: library=%s missing=%s"
              .formatted(loaded.get().name(), OpenMpiAbi.WORLD_SYMBOL));
    }
  }

  /** Sets an environment variable where C code sees it. */
  static void setEnvironment(String name, String value) {
    var setenv = libc("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    try (var arena = Arena.ofConfined()) {
      int failed = (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
      if (failed != 0) {
        throw unusable("cannot set an environment variable: name=" + name);
      }
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** The address of an exported object. */
  static long address(String symbol) {
    return find(symbol)
        .orElseThrow(() -> unusable("the MPI library lacks a symbol: symbol=" + symbol))
        .address();
  }

  /**
   * Links an MPI function, all of which return {@code int}.
   *
   * @param signature a letter per parameter: i for int, l for a 64-bit integer or handle, p for a
   *     pointer
   */
  @SuppressWarnings("restricted")
  static MethodHandle link(String function, String signature) {
    var parameters =
        signature
            .chars()
            .mapToObj(letter ->
                switch (letter) {
                  case 'i' -> JAVA_INT;
                  case 'l' -> JAVA_LONG;
                  case 'p' -> ADDRESS;
                  default -> throw new IllegalArgumentException("not a signature: " + signature);
                })
            .toArray(MemoryLayout[]::new);
    return LINKER.downcallHandle(
        MemorySegment.ofAddress(address(function)), FunctionDescriptor.of(JAVA_INT, parameters));
  }

  /** What a downcall threw, which is never a checked exception. */
  static RuntimeException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException("a downcall threw a checked exception", thrown);
    };
  }

  private static MpiException unusable(String text) {
    return new MpiException("start", MpiErrorClass.LIBRARY, 0, text, "world", -1);
  }

  private static Search search() {
    var named =
        Optional.ofNullable(System.getProperty(PROPERTY))
            .or(() -> Optional.ofNullable(System.getenv(VARIABLE)));
    var candidates = named.map(List::of).orElse(List.of("libmpi.so.40", "libmpi.so"));
    var tried = new ArrayList<String>();
    for (var candidate : candidates) {
      var library = open(candidate, tried);
      if (library.isPresent()) {
        return new Search(Optional.of(new Loaded(library.get(), candidate)), candidate);
      }
    }
    return new Search(
        Optional.empty(),
        "tried=%s; install Open MPI or name its library by %s or -D%s"
            .formatted(tried, VARIABLE, PROPERTY));
  }

  // RTLD_GLOBAL, because Open MPI opens its components itself and they look for its symbols in the
  // global scope, where System.load would not put them.
  @SuppressWarnings("restricted")
  private static Optional<MemorySegment> open(String name, List<String> tried) {
    var dlopen = libc("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    // Linked before the call, since linking looks up a symbol and so forgets the error.
    var dlerror = libc("dlerror", FunctionDescriptor.of(ADDRESS));
    try (var arena = Arena.ofConfined()) {
      var library =
          (MemorySegment) dlopen.invokeExact(arena.allocateFrom(name), RTLD_NOW | RTLD_GLOBAL);
      if (library.address() != 0) {
        return Optional.of(library);
      }
      var error = (MemorySegment) dlerror.invokeExact();
      tried.add(error.address() == 0 ? name : error.reinterpret(Integer.MAX_VALUE).getString(0));
      return Optional.empty();
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static Optional<MemorySegment> find(String symbol) {
    var loaded = SEARCH.loaded();
    if (loaded.isEmpty()) {
      return Optional.empty();
    }
    var dlsym = libc("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    try (var arena = Arena.ofConfined()) {
      var found =
          (MemorySegment) dlsym.invokeExact(loaded.get().library(), arena.allocateFrom(symbol));
      return found.address() == 0 ? Optional.empty() : Optional.of(found);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle libc(String function, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(function), descriptor);
  }
}
