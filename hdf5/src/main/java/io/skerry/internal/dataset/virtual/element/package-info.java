/**
 * Elements of virtual datasets that contain variable-length values or references: conversion from
 * the datatypes of the sources, and copies of the heap objects (variable-length content and the
 * data of references) and of the paths of the HDF5 objects to which the elements refer. Start at
 * {@link io.skerry.internal.dataset.virtual.element.ElementBuffer}. Local.
 */
package io.skerry.internal.dataset.virtual.element;
