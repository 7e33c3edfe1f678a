package io.skerry.iod.transaction;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Copies and hashes a graph of objects of this package by reflection, so that no field of the
 * protocol can be forgotten. Collections must be sorted or lists. Not thread-safe.
 */
final class StateCopy {
  private record Shape(Constructor<?> constructor, List<Field> fields) {}

  private static final Map<Class<?>, Shape> SHAPES = new HashMap<>();

  private StateCopy() {}

  private static Shape shape(Class<?> type) {
    return SHAPES.computeIfAbsent(type, StateCopy::describe);
  }

  private static Shape describe(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        fields.add(field);
      }
    }
    try {
      Constructor<?> constructor;
      if (type.isRecord()) {
        constructor =
            type.getDeclaredConstructor(
                fields.stream().map(Field::getType).toArray(Class<?>[]::new));
      } else {
        constructor = constructorOf(type);
      }
      constructor.setAccessible(true);
      return new Shape(constructor, fields);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no access to the state of the protocol", e);
    }
  }

  /** Returns a constructor that leaves all fields empty, as deserialization uses it. */
  private static Constructor<?> constructorOf(Class<?> type) throws ReflectiveOperationException {
    // Found by name, because the compiler warns of uses of this class.
    Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
    Object instance = factory.getMethod("getReflectionFactory").invoke(null);
    return (Constructor<?>)
        factory
            .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
            .invoke(instance, type, Object.class.getDeclaredConstructor());
  }

  private static boolean isValue(Object object) {
    return object instanceof Number
        || object instanceof String
        || object instanceof Boolean
        || object instanceof Enum<?>
        || (object instanceof Record && !object.getClass().getSimpleName().equals("Work"));
  }

  /** Returns a copy that shares nothing that can change. */
  @SuppressWarnings("unchecked")
  static <T> T copy(T object) {
    try {
      return (T) copy(object, new IdentityHashMap<>());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no access to the state of the protocol", e);
    }
  }

  private static Object copy(Object object, IdentityHashMap<Object, Object> known)
      throws ReflectiveOperationException {
    if (object == null || isValue(object)) {
      return object;
    }
    Object before = known.get(object);
    if (before != null) {
      return before;
    }
    return switch (object) {
      case Optional<?> optional ->
          optional.isEmpty() ? optional : Optional.of(copy(optional.get(), known));
      case TreeMap<?, ?> map -> {
        TreeMap<Object, Object> copied = new TreeMap<>();
        known.put(object, copied);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          copied.put(entry.getKey(), copy(entry.getValue(), known));
        }
        yield copied;
      }
      case TreeSet<?> set -> {
        TreeSet<Object> copied = new TreeSet<>();
        copied.addAll(set);
        known.put(object, copied);
        yield copied;
      }
      case List<?> list -> {
        List<Object> copied = new ArrayList<>(list.size() + 2);
        known.put(object, copied);
        for (Object each : list) {
          copied.add(copy(each, known));
        }
        yield copied;
      }
      default -> copyFields(object, known);
    };
  }

  private static Object copyFields(Object object, IdentityHashMap<Object, Object> known)
      throws ReflectiveOperationException {
    requireKnown(object);
    Shape shape = shape(object.getClass());
    if (object instanceof Record) {
      Object[] values = new Object[shape.fields.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = copy(shape.fields.get(i).get(object), known);
      }
      return shape.constructor.newInstance(values);
    }
    Object copied = shape.constructor.newInstance();
    known.put(object, copied);
    for (Field field : shape.fields) {
      if (field.getType() == long.class) {
        field.setLong(copied, field.getLong(object));
      } else if (field.getType() == int.class) {
        field.setInt(copied, field.getInt(object));
      } else {
        field.set(copied, copy(field.get(object), known));
      }
    }
    return copied;
  }

  private static void requireKnown(Object object) {
    if (!object.getClass().getPackageName().equals(StateCopy.class.getPackageName())
        || object.getClass().isHidden()) {
      throw new AssertionError("cannot copy a " + object.getClass());
    }
  }

  /** A hash of 128 bits. */
  record Hash(long high, long low) {}

  /** Returns a hash of everything that a graph contains. */
  static Hash hash(Object object) {
    Mixer mixer = new Mixer();
    try {
      mixer.add(object);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no access to the state of the protocol", e);
    }
    return new Hash(mixer.high, mixer.low);
  }

  private static final class Mixer {
    private final IdentityHashMap<Object, Integer> known = new IdentityHashMap<>();
    private long high = 0x9E3779B97F4A7C15L;
    private long low = 0xC2B2AE3D27D4EB4FL;

    void add(long value) {
      high = Long.rotateLeft((high ^ value) * 0xFF51AFD7ED558CCDL, 31) + 0x52DCE729L;
      low = (Long.rotateLeft(low, 27) + value) * 0xC4CEB9FE1A85EC53L;
      low ^= low >>> 29;
    }

    void add(Object object) throws ReflectiveOperationException {
      switch (object) {
        case null -> add(1L);
        case Number number -> add(number.longValue() * 2 + 1);
        case String text -> add(text.hashCode());
        case Boolean bool -> add(bool ? 3L : 2L);
        case Enum<?> constant -> add(constant.ordinal());
        case Optional<?> optional -> add(optional.orElse(null));
        case Map<?, ?> map -> {
          add(map.size());
          for (Map.Entry<?, ?> entry : map.entrySet()) {
            add(entry.getKey());
            add(entry.getValue());
          }
        }
        case Collection<?> all -> {
          add(all.size());
          for (Object each : all) {
            add(each);
          }
        }
        default -> addFields(object);
      }
    }

    private void addFields(Object object) throws ReflectiveOperationException {
      requireKnown(object);
      if (!(object instanceof Record)) {
        Integer before = known.putIfAbsent(object, known.size());
        if (before != null) {
          add(before.longValue());
          return;
        }
      }
      add(object.getClass().getName().hashCode());
      for (Field field : shape(object.getClass()).fields) {
        if (field.getType() == long.class) {
          add(field.getLong(object));
        } else if (field.getType() == int.class) {
          add(field.getInt(object));
        } else {
          add(field.get(object));
        }
      }
    }
  }
}
