package io.skerry.mpi.base;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/** What has to be done to this process, as C code sees it, before an MPI library starts in it. */
public final class NativeProcess {
  private static final int RTLD_NOW = 2;
  private static final int RTLD_GLOBAL = 0x100;

  private NativeProcess() {}

  /** Sets an environment variable where C code sees it. */
  public static void setEnvironment(String name, String value) {
    var setenv = libc("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    try (var arena = Arena.ofConfined()) {
      int failed = (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
      if (failed != 0) {
        throw new IllegalStateException("cannot set an environment variable: name=" + name);
      }
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /**
   * Loads a library, and what it needs, so that all that is loaded later finds their symbols: Open
   * MPI opens its components itself, and they look there. {@code System.load} does not do that.
   *
   * @return why it could not be loaded, or nothing
   */
  public static Optional<String> loadGlobally(Path library) {
    var dlopen = libc("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    // Linked before the call, since linking looks up a symbol and so forgets the error.
    var dlerror = libc("dlerror", FunctionDescriptor.of(ADDRESS));
    try (var arena = Arena.ofConfined()) {
      var opened =
          (MemorySegment)
              dlopen.invokeExact(arena.allocateFrom(library.toString()), RTLD_NOW | RTLD_GLOBAL);
      if (opened.address() != 0) {
        return Optional.empty();
      }
      var error = (MemorySegment) dlerror.invokeExact();
      return Optional.of(text(error, library));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @SuppressWarnings("restricted")
  private static String text(MemorySegment error, Path library) {
    return error.address() == 0
        ? "cannot load " + library
        : error.reinterpret(Integer.MAX_VALUE).getString(0);
  }

  private static RuntimeException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException("a downcall threw a checked exception", thrown);
    };
  }

  @SuppressWarnings("restricted")
  private static MethodHandle libc(String function, FunctionDescriptor descriptor) {
    var linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), descriptor);
  }
}
