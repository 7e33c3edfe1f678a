package io.skerry.mpi.internal.launch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** The environment and the dynamic linker of this process, as seen by C code. Linux only. */
public final class NativeProcess {
  private static final int RTLD_NOW = 2;
  private static final int RTLD_GLOBAL = 0x100;
  private static final Linker LINKER = Linker.nativeLinker();

  private NativeProcess() {}

  /**
   * Returns the error text for a JVM that denies this module access to native code: {@code
   * --illegal-native-access=deny} is in effect, and {@code --enable-native-access} does not name
   * the module. The methods of this class then throw an {@link IllegalCallerException}.
   */
  public static String denial() {
    var module = NativeProcess.class.getModule();
    return "the JVM denies access to native code; start it with --enable-native-access="
        + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }

  /** A loaded library, or the error text if it could not be loaded. */
  public record Loading(Optional<MemorySegment> library, String error) {}

  /** Sets an environment variable for C code; {@link System#getenv} does not see it. */
  public static void setEnvironment(String name, String value) {
    var setenv = link("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
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
   * Loads a library and adds its symbols to the global scope, in which the components of MPI
   * libraries look up symbols. {@link System#load} would not add them to that scope.
   *
   * @param name a path, or a name for the dynamic linker
   */
  @SuppressWarnings("restricted")
  public static Loading load(String name) {
    var dlopen = link("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    // dlerror is linked before dlopen is called, because linking looks up a symbol, which clears
    // the error.
    var dlerror = link("dlerror", FunctionDescriptor.of(ADDRESS));
    try (var arena = Arena.ofConfined()) {
      var library =
          (MemorySegment) dlopen.invokeExact(arena.allocateFrom(name), RTLD_NOW | RTLD_GLOBAL);
      if (library.address() != 0) {
        return new Loading(Optional.of(library), "");
      }
      var error = (MemorySegment) dlerror.invokeExact();
      return new Loading(
          Optional.empty(),
          error.address() == 0 ? name : error.reinterpret(Integer.MAX_VALUE).getString(0));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /**
   * Returns the address of a symbol of a library or of its dependencies; empty if there is no such
   * symbol.
   */
  public static Optional<MemorySegment> find(MemorySegment library, String symbol) {
    var dlsym = link("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    try (var arena = Arena.ofConfined()) {
      var found = (MemorySegment) dlsym.invokeExact(library, arena.allocateFrom(symbol));
      return found.address() == 0 ? Optional.empty() : Optional.of(found);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** Returns the file from which the code at an address was loaded; empty if it is unknown. */
  @SuppressWarnings("restricted")
  public static Optional<String> fileOf(MemorySegment code) {
    var dladdr = link("dladdr", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    try (var arena = Arena.ofConfined()) {
      // A Dl_info consists of four pointers; the first points to the name of the file.
      var answer = arena.allocate(ADDRESS, 4);
      int known = (int) dladdr.invokeExact(code, answer);
      var name = answer.get(ADDRESS, 0);
      return known == 0 || name.address() == 0
          ? Optional.empty()
          : Optional.of(name.reinterpret(Integer.MAX_VALUE).getString(0));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /**
   * Converts a throwable that a downcall threw to an unchecked exception; throws it if it is an
   * {@link Error}. Downcalls throw no checked exceptions.
   */
  public static RuntimeException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException("a downcall threw a checked exception", thrown);
    };
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link(String function, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(function), descriptor);
  }
}
