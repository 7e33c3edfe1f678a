package io.skerry.mpi.internal.jar;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Objects;

/**
 * Provides method handles for public members of classes that are known only by name. In the type of
 * a method handle, {@link Object} replaces these classes and all other types are kept, so that
 * callers can use {@code invokeExact}.
 *
 * @param loader the loader of the classes
 * @param what the origin of the classes, for error messages
 */
public record JarClasses(ClassLoader loader, String what) {
  /** Returns a class by its name. */
  public Class<?> named(String name) {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      throw unusable("%s lacks class %s: is it another version?".formatted(what, name), e);
    } catch (LinkageError e) {
      // If the initializer of the class has thrown an exception, the error itself has no message.
      var reason = Objects.requireNonNullElse(e.getMessage(), String.valueOf(e.getCause()));
      throw unusable("%s does not load: %s".formatted(what, reason), e);
    }
  }

  /** Returns a method handle for an instance method; its first parameter is the receiver. */
  public MethodHandle method(String owner, String name, Class<?> result, Class<?>... parameters) {
    try {
      var type = MethodType.methodType(result, parameters);
      return erased(MethodHandles.publicLookup().findVirtual(named(owner), name, type));
    } catch (ReflectiveOperationException e) {
      throw missing(owner, name, e);
    }
  }

  /** Returns a method handle for a static method. */
  public MethodHandle function(String owner, String name, Class<?> result, Class<?>... parameters) {
    try {
      var type = MethodType.methodType(result, parameters);
      return erased(MethodHandles.publicLookup().findStatic(named(owner), name, type));
    } catch (ReflectiveOperationException e) {
      throw missing(owner, name, e);
    }
  }

  /** Returns a method handle for a constructor. */
  public MethodHandle constructor(String owner, Class<?>... parameters) {
    try {
      var type = MethodType.methodType(void.class, parameters);
      return erased(MethodHandles.publicLookup().findConstructor(named(owner), type));
    } catch (ReflectiveOperationException e) {
      throw missing(owner, "<init>", e);
    }
  }

  /** Returns a method handle that reads a field of its only parameter. */
  public MethodHandle field(String owner, String name, Class<?> type) {
    try {
      return erased(MethodHandles.publicLookup().findGetter(named(owner), name, type));
    } catch (ReflectiveOperationException e) {
      throw missing(owner, name, e);
    }
  }

  /** Returns the current value of a static field. */
  public Object constant(String owner, String name) {
    try {
      var value = named(owner).getField(name).get(owner);
      if (value == null) {
        throw unusable("%s has not set %s.%s".formatted(what, owner, name));
      }
      return value;
    } catch (ReflectiveOperationException e) {
      throw missing(owner, name, e);
    }
  }

  private MethodHandle erased(MethodHandle exact) {
    var type = exact.type();
    return exact.asType(
        MethodType.methodType(
            erased(type.returnType()),
            Arrays.stream(type.parameterArray()).map(this::erased).toArray(Class<?>[]::new)));
  }

  private Class<?> erased(Class<?> type) {
    return type.getClassLoader() == null ? type : Object.class;
  }

  private MpiException missing(String owner, String name, ReflectiveOperationException e) {
    return unusable(
        "%s lacks %s.%s: is it another version? (%s)".formatted(what, owner, name, e), e);
  }

  /** Returns the exception for a failed start, with a one-line text. */
  public static MpiException unusable(String text) {
    return new MpiException("start", MpiErrorClass.LIBRARY, 0, text, "world", -1);
  }

  /** Returns the exception for a failed start, with a one-line text and a cause. */
  public static MpiException unusable(String text, Throwable cause) {
    return new MpiException("start", MpiErrorClass.LIBRARY, text, "world", -1, cause);
  }
}
