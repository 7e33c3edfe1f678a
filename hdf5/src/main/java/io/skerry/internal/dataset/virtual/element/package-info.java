/**
 * Elements of virtual datasets that refer to contents: conversion from the datatypes of the
 * sources, and copies of the contents. Start at {@link
 * io.skerry.internal.dataset.virtual.element.ElementBuffer}. Local.
 */
package io.skerry.internal.dataset.virtual.element;
